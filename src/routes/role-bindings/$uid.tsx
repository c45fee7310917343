import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { roleBindingScreens } from "~/screens/role-bindings/data";
import { RoleBindingPage } from "~/screens/role-bindings/page";

export const Route = createFileRoute("/role-bindings/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(roleBindingScreens),
  component: RoleBindingPage,
});
