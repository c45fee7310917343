import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { roleScreens } from "~/domains/access/roles/data";
import { RolePage } from "~/domains/access/roles/page";

export const Route = createFileRoute("/roles/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(roleScreens),
  component: RolePage,
});
