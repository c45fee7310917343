import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { associationScreens, type AssociationSearch } from "~/screens/account-associations/data";
import { AssociationList } from "~/screens/account-associations/list";

export const Route = createFileRoute("/account-associations/")({
  validateSearch: listSearch<AssociationSearch>(),
  loader: startList(associationScreens),
  component: AssociationList,
});
