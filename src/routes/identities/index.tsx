import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/parts/scope";

import { IdentityList } from "./-identity-list";
import { startList } from "./-identity-queries";
import { readIdentityListSearch } from "./-identity-search";

export const Route = createFileRoute("/identities/")({
  validateSearch: screenSearch(readIdentityListSearch),
  loader({ cause, context: { queryClient }, location }) {
    // Only an early start: once it is on the screen, the list asks for itself, and says what goes wrong.
    if (cause !== "stay")
      startList(queryClient, location.search as object as Record<string, unknown>).catch(() => undefined);
  },
  component: IdentityList,
});
