import { createFileRoute } from "@tanstack/react-router";

import { JoinInvite } from "~/screens/group-invites/join";

export const Route = createFileRoute("/invite")({ component: JoinInvite });
