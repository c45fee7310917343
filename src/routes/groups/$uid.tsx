import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { groupScreens } from "~/domains/organization/groups/data";
import { GroupPage } from "~/domains/organization/groups/page";

export const Route = createFileRoute("/groups/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(groupScreens),
  component: GroupPage,
});
