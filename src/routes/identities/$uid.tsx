import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { identityScreens } from "~/screens/identities/data";
import { IdentityPage } from "~/screens/identities/page";

export const Route = createFileRoute("/identities/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(identityScreens),
  component: IdentityPage,
});
