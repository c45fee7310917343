import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { GroupPage } from "~/screens/groups/page";

export const Route = createFileRoute("/groups/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/groups/data")).groupScreens),
  component: GroupPage,
});
