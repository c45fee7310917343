import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { roleScreens, type RoleSearch } from "~/screens/roles/data";
import { RoleList } from "~/screens/roles/list";

export const Route = createFileRoute("/roles/")({
  validateSearch: listSearch<RoleSearch>(),
  loader: startList(roleScreens),
  component: RoleList,
});
