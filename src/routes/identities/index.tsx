import { createFileRoute, redirect } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { identityScreens, type IdentitySearch } from "~/domains/identities/identities/data";
import { IdentityList } from "~/domains/identities/identities/list";
import type { Address } from "~/frame/scope/address";

export const Route = createFileRoute("/identities/")({
  validateSearch: listSearch<IdentitySearch>(),
  beforeLoad({ location }) {
    // People used to be a tab of this list.
    const { tab, ...search }: Address = { ...location.search };
    if (tab === "people") throw redirect({ to: "/people", search, replace: true });
  },
  loader: startList(identityScreens),
  component: IdentityList,
});
