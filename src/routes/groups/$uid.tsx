import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { groupScreens } from "~/screens/groups/data";
import { GroupPage } from "~/screens/groups/page";

export const Route = createFileRoute("/groups/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(groupScreens),
  component: GroupPage,
});
