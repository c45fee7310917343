import { linkOptions } from "@tanstack/react-router";

import { accessPage, grantLink, inviteInto } from "~/domains/access/grants/links";
import { useRefusal } from "~/frame/permissions/use-can";
import { uidToParam } from "~/frame/scope/uid-param";
import { parentOf } from "platform-contract/aip";
import { groupInvites } from "platform-contract/iam/group-invites";
import { groups } from "platform-contract/iam/groups";
import { roleBindings } from "platform-contract/iam/role-bindings";
import type { LinkTarget } from "~/ui/layout/link";
import type { MenuAction } from "~/ui/overlay/menu";

/** Links to the page of a group, with a drawer open. */
export const withDrawer = (uid: string, drawer: string): LinkTarget =>
  linkOptions({ to: "/groups/$uid", params: { uid: uidToParam(uid) }, search: { drawer } });

/**
 * What the menu of a group begins with, in the tree, in the list and on its page. What the user's roles do not allow there
 * is disabled, with the reason.
 */
export function useGroupMenu(): (uid: string) => readonly MenuAction[] {
  const refusal = useRefusal();
  return (uid) => [
    { label: "New folder", link: withDrawer(uid, "create"), disabled: refusal(groups.create, uid) },
    { label: "Invite people", link: inviteInto(uid), disabled: refusal(groupInvites.create, uid) },
    { label: "Grant access", link: grantLink({ group: uid }), disabled: refusal(roleBindings.create, uid) },
    { label: "Who has access", link: accessPage(uid), disabled: refusal(roleBindings.list, uid) },
    ...(parentOf(uid) === "" ? [] : [{ label: "Move…", link: withDrawer(uid, "move") }]),
  ];
}
