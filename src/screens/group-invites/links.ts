import { uidToParam } from "~/features/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

/** Links to the form that creates an invite to a group. */
export const inviteInto = (group: string): LinkTarget => ({
  to: "/group-invites",
  search: { group: uidToParam(group), drawer: "create" },
});
