import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/parts/scope";

import { TagList } from "./-tag-list";
import { readTagListSearch } from "./-tag-search";

export const Route = createFileRoute("/tags/")({
  validateSearch: screenSearch(readTagListSearch),
  loader({ cause, context: { queryClient }, location }) {
    // Only an early start: once it is on the screen, the list asks for itself, and says what goes wrong.
    if (cause === "stay") return;
    import("./-tag-queries")
      .then(({ startList }) => startList(queryClient, location.search as object as Record<string, unknown>))
      .catch(() => undefined);
  },
  component: TagList,
});
