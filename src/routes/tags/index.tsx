import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/features/scope/scope";

import { TagList } from "~/screens/tags/list";
import { readTagListSearch } from "~/screens/tags/search";

export const Route = createFileRoute("/tags/")({
  validateSearch: screenSearch(readTagListSearch),
  loader({ cause, context: { queryClient }, location }) {
    // Only an early start: once it is on the screen, the list asks for itself, and says what goes wrong.
    if (cause === "stay") return;
    import("~/screens/tags/queries")
      .then(({ startList }) => startList(queryClient, location.search as object as Record<string, unknown>))
      .catch(() => undefined);
  },
  component: TagList,
});
