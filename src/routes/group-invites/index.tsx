import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import type { GroupInviteSearch } from "~/screens/group-invites/data";
import { GroupInviteList } from "~/screens/group-invites/list";

export const Route = createFileRoute("/group-invites/")({
  validateSearch: listSearch<GroupInviteSearch>(),
  loader: startList(async () => (await import("~/screens/group-invites/data")).groupInviteScreens),
  component: GroupInviteList,
});
