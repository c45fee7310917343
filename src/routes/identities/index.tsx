import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/features/scope/scope";

import { IdentityList } from "~/screens/identities/list";
import { startList } from "~/screens/identities/queries";
import { readIdentityListSearch } from "~/screens/identities/search";

export const Route = createFileRoute("/identities/")({
  validateSearch: screenSearch(readIdentityListSearch),
  loader({ cause, context: { queryClient }, location }) {
    // Only an early start: once it is on the screen, the list asks for itself, and says what goes wrong.
    if (cause !== "stay")
      startList(queryClient, location.search as object as Record<string, unknown>).catch(() => undefined);
  },
  component: IdentityList,
});
