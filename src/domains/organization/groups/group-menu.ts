import { linkOptions, useNavigate } from "@tanstack/react-router";

import { accessPage, grantLink, inviteInto } from "~/domains/access/grants/links";
import type { GroupDrag } from "~/frame/group-tree/use-drag";
import { useRefusal } from "~/frame/permissions/use-can";
import { uidToParam } from "~/frame/scope/uid-param";
import { isWithin, parentOf } from "platform-contract/aip";
import { groupInvites } from "platform-contract/iam/group-invites";
import { groups } from "platform-contract/iam/groups";
import { roleBindings } from "platform-contract/iam/role-bindings";
import type { MenuAction } from "~/ui/overlay/menu";

/** Links to the page of a group, with a drawer open. */
export const withDrawer = (uid: string, drawer: string) =>
  linkOptions({ to: "/groups/$uid", params: { uid: uidToParam(uid) }, search: { drawer } });

/** Dragging a folder onto another group opens the plan of its move, for those who can create it there and delete it here. */
export function useMoveByDrag(): GroupDrag {
  const refusal = useRefusal();
  const navigate = useNavigate();
  return {
    canDrag: (uid) => parentOf(uid) !== "" && refusal(groups.delete, uid) === undefined,
    canDrop: (uid, onto) =>
      !isWithin(onto, uid) && onto !== parentOf(uid) && refusal(groups.create, onto) === undefined,
    onDrop: (uid, onto) => {
      const { search, ...page } = withDrawer(uid, "move");
      void navigate({ ...page, search: { ...search, item: uidToParam(onto) } });
    },
  };
}

/**
 * What the menu of a group begins with, in the tree, in the list and on its page. What the user's roles do not allow there
 * is disabled, with the reason.
 */
export function useGroupMenu(): (uid: string) => readonly MenuAction[] {
  const refusal = useRefusal();
  return (uid) => [
    { label: "Create folder", link: withDrawer(uid, "create"), disabled: refusal(groups.create, uid) },
    { label: "Invite people", link: inviteInto(uid), disabled: refusal(groupInvites.create, uid) },
    { label: "Grant access", link: grantLink({ group: uid }), disabled: refusal(roleBindings.create, uid) },
    { label: "Who has access", link: accessPage(uid), disabled: refusal(roleBindings.list, uid) },
    ...(parentOf(uid) === "" ? [] : [{ label: "Move…", link: withDrawer(uid, "move") }]),
  ];
}
