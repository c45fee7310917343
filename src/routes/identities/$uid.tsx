import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { identityScreens } from "~/domains/identities/identities/data";
import { IdentityPage } from "~/domains/identities/identities/page";

export const Route = createFileRoute("/identities/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(identityScreens),
  component: IdentityPage,
});
