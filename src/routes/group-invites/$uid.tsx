import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { GroupInvitePage } from "~/screens/group-invites/page";

export const Route = createFileRoute("/group-invites/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/group-invites/data")).groupInviteScreens),
  component: GroupInvitePage,
});
