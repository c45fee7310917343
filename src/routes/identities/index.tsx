import { createFileRoute, redirect } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { identityScreens, type IdentitySearch } from "~/screens/identities/data";
import { IdentityList } from "~/screens/identities/list";

export const Route = createFileRoute("/identities/")({
  validateSearch: listSearch<IdentitySearch>(),
  beforeLoad({ location }) {
    // People used to be a tab of this list.
    const { tab, ...search } = location.search as { readonly tab?: unknown };
    if (tab === "people") throw redirect({ to: "/people", search, replace: true });
  },
  loader: startList(identityScreens),
  component: IdentityList,
});
