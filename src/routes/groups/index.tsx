import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { groupScreens, type GroupSearch } from "~/domains/organization/groups/data";
import { GroupList } from "~/domains/organization/groups/list";

export const Route = createFileRoute("/groups/")({
  validateSearch: listSearch<GroupSearch>(),
  loader: startList(groupScreens),
  component: GroupList,
});
