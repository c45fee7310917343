import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { roleScreens } from "~/screens/roles/data";
import { RolePage } from "~/screens/roles/page";

export const Route = createFileRoute("/roles/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(roleScreens),
  component: RolePage,
});
