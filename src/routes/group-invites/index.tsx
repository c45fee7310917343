import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { groupInviteScreens, type GroupInviteSearch } from "~/domains/access/group-invites/data";
import { GroupInviteList } from "~/domains/access/group-invites/list";

export const Route = createFileRoute("/group-invites/")({
  validateSearch: listSearch<GroupInviteSearch>(),
  loader: startList(groupInviteScreens),
  component: GroupInviteList,
});
