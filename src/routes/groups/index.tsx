import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { groupScreens, type GroupSearch } from "~/screens/groups/data";
import { GroupList } from "~/screens/groups/list";

export const Route = createFileRoute("/groups/")({
  validateSearch: listSearch<GroupSearch>(),
  loader: startList(groupScreens),
  component: GroupList,
});
