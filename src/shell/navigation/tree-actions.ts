import { linkOptions } from "@tanstack/react-router";

import { useRefusal } from "~/frame/permissions/use-can";
import { groups } from "platform-contract/iam/groups";
import { roleBindings } from "platform-contract/iam/role-bindings";
import type { TreeNode } from "~/frame/group-tree/rows";
import { uidToParam } from "~/frame/scope/uid-param";
import { accessPage, grantLink } from "~/domains/access/grants/links";
import { copyText } from "~/ui/display/copy-text";
import type { MenuAction } from "~/ui/overlay/menu";

const withDrawer = (uid: string, drawer: string) =>
  linkOptions({ to: "/groups/$uid", params: { uid: uidToParam(uid) }, search: { drawer } });

/** The menu of a group in the tree. What the user's roles do not allow there is disabled, with the reason. */
export function useTreeActions(): (node: TreeNode) => readonly MenuAction[] {
  const refusal = useRefusal();
  return ({ uid }) => [
    { label: "New folder", link: withDrawer(uid, "create"), disabled: refusal(groups.create, uid) },
    { label: "Rename", link: withDrawer(uid, "edit"), disabled: refusal(groups.update, uid) },
    {
      label: "Grant access",
      link: grantLink({ group: uid }),
      disabled: refusal(roleBindings.create, uid),
    },
    { label: "Who has access", link: accessPage(uid), disabled: refusal(roleBindings.list, uid) },
    { label: "Copy uid", onSelect: () => void copyText(uid, "uid") },
    {
      label: "Delete with contents…",
      link: withDrawer(uid, "teardown"),
      disabled: refusal(groups.delete, uid),
      danger: true,
    },
  ];
}
