import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/features/scope/uid-param";

/** Where a snapshot of a group is taken. */
export const snapshotsOf = (group: string) =>
  linkOptions({ to: "/snapshots", search: { group: uidToParam(group) } });
