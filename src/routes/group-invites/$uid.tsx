import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { groupInviteScreens } from "~/domains/access/group-invites/data";
import { GroupInvitePage } from "~/domains/access/group-invites/page";

export const Route = createFileRoute("/group-invites/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(groupInviteScreens),
  component: GroupInvitePage,
});
