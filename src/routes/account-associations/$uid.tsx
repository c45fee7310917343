import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { AssociationPage } from "~/screens/account-associations/page";

export const Route = createFileRoute("/account-associations/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/account-associations/data")).associationScreens),
  component: AssociationPage,
});
