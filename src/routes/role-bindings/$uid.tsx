import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { RoleBindingPage } from "~/screens/role-bindings/page";

export const Route = createFileRoute("/role-bindings/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/role-bindings/data")).roleBindingScreens),
  component: RoleBindingPage,
});
