import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import type { AssociationSearch } from "~/screens/account-associations/data";
import { AssociationList } from "~/screens/account-associations/list";

export const Route = createFileRoute("/account-associations/")({
  validateSearch: listSearch<AssociationSearch>(),
  loader: startList(async () => (await import("~/screens/account-associations/data")).associationScreens),
  component: AssociationList,
});
