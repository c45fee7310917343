import { createFileRoute } from "@tanstack/react-router";

import { JoinInvite } from "~/domains/access/group-invites/join";

export const Route = createFileRoute("/invite")({ component: JoinInvite });
