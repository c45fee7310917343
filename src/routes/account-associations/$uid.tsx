import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { associationScreens } from "~/screens/account-associations/data";
import { AssociationPage } from "~/screens/account-associations/page";

export const Route = createFileRoute("/account-associations/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(associationScreens),
  component: AssociationPage,
});
