import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { associationScreens } from "~/domains/federation/account-associations/data";
import { AssociationPage } from "~/domains/federation/account-associations/page";

export const Route = createFileRoute("/account-associations/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(associationScreens),
  component: AssociationPage,
});
