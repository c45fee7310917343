import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { roleScreens, type RoleSearch } from "~/domains/access/roles/data";
import { RoleList } from "~/domains/access/roles/list";

export const Route = createFileRoute("/roles/")({
  validateSearch: listSearch<RoleSearch>(),
  loader: startList(roleScreens),
  component: RoleList,
});
