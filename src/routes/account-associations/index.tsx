import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { associationScreens, type AssociationSearch } from "~/domains/federation/account-associations/data";
import { AssociationList } from "~/domains/federation/account-associations/list";

export const Route = createFileRoute("/account-associations/")({
  validateSearch: listSearch<AssociationSearch>(),
  loader: startList(associationScreens),
  component: AssociationList,
});
