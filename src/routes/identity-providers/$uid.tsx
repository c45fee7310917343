import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { identityProviderScreens } from "~/screens/identity-providers/data";
import { IdentityProviderPage } from "~/screens/identity-providers/page";

export const Route = createFileRoute("/identity-providers/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(identityProviderScreens),
  component: IdentityProviderPage,
});
