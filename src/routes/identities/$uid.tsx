import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { IdentityPage } from "~/screens/identities/page";

export const Route = createFileRoute("/identities/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/identities/data")).identityScreens),
  component: IdentityPage,
});
