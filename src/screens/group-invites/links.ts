import { uidToParam } from "~/features/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

/** The form that invites into a group. */
export const inviteInto = (group: string): LinkTarget => ({
  to: "/group-invites",
  search: { group: uidToParam(group), drawer: "create" },
});
