import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { IdentityProviderPage } from "~/screens/identity-providers/page";

export const Route = createFileRoute("/identity-providers/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(
    async () => (await import("~/screens/identity-providers/data")).identityProviderScreens,
  ),
  component: IdentityProviderPage,
});
