import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import {
  identityProviderScreens,
  type IdentityProviderSearch,
} from "~/domains/federation/identity-providers/data";
import { IdentityProviderList } from "~/domains/federation/identity-providers/list";

export const Route = createFileRoute("/identity-providers/")({
  validateSearch: listSearch<IdentityProviderSearch>(),
  loader: startList(identityProviderScreens),
  component: IdentityProviderList,
});
