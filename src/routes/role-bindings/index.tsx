import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { roleBindingScreens, type RoleBindingSearch } from "~/screens/role-bindings/data";
import { RoleBindingList } from "~/screens/role-bindings/list";

export const Route = createFileRoute("/role-bindings/")({
  validateSearch: listSearch<RoleBindingSearch>(),
  loader: startList(roleBindingScreens),
  component: RoleBindingList,
});
