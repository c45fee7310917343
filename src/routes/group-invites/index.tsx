import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { groupInviteScreens, type GroupInviteSearch } from "~/screens/group-invites/data";
import { GroupInviteList } from "~/screens/group-invites/list";

export const Route = createFileRoute("/group-invites/")({
  validateSearch: listSearch<GroupInviteSearch>(),
  loader: startList(groupInviteScreens),
  component: GroupInviteList,
});
