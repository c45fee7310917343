import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { roleBindingScreens, type RoleBindingSearch } from "~/domains/access/role-bindings/data";
import { RoleBindingList } from "~/domains/access/role-bindings/list";

export const Route = createFileRoute("/role-bindings/")({
  validateSearch: listSearch<RoleBindingSearch>(),
  loader: startList(roleBindingScreens),
  component: RoleBindingList,
});
