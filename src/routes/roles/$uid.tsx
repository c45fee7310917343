import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { RolePage } from "~/screens/roles/page";

export const Route = createFileRoute("/roles/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/roles/data")).roleScreens),
  component: RolePage,
});
