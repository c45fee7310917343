import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { identityProviderScreens, type IdentityProviderSearch } from "~/screens/identity-providers/data";
import { IdentityProviderList } from "~/screens/identity-providers/list";

export const Route = createFileRoute("/identity-providers/")({
  validateSearch: listSearch<IdentityProviderSearch>(),
  loader: startList(identityProviderScreens),
  component: IdentityProviderList,
});
