import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { roleBindingScreens } from "~/domains/access/role-bindings/data";
import { RoleBindingPage } from "~/domains/access/role-bindings/page";

export const Route = createFileRoute("/role-bindings/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(roleBindingScreens),
  component: RoleBindingPage,
});
