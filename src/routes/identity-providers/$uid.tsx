import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { identityProviderScreens } from "~/domains/federation/identity-providers/data";
import { IdentityProviderPage } from "~/domains/federation/identity-providers/page";

export const Route = createFileRoute("/identity-providers/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(identityProviderScreens),
  component: IdentityProviderPage,
});
