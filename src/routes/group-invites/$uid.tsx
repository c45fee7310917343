import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { groupInviteScreens } from "~/screens/group-invites/data";
import { GroupInvitePage } from "~/screens/group-invites/page";

export const Route = createFileRoute("/group-invites/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(groupInviteScreens),
  component: GroupInvitePage,
});
