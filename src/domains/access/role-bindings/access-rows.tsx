import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { useView } from "~/frame/use-view";
import type { MenuAction } from "~/ui/overlay/menu";

import { BindingTable } from "~/domains/access/grants/binding-table";
import { groupNameOf } from "~/domains/access/grants/bindings";
import { accessPage, bindingPage } from "~/domains/access/grants/links";

interface AccessRowsProps {
  readonly rows: readonly RoleBinding[];
  /** uid of the ancestor group where these were granted; undefined for the group itself. */
  readonly from: string | undefined;
}

/** Shows who has which role through these bindings, with actions. */
export function AccessRows({ rows, from }: AccessRowsProps): ReactNode {
  const { open } = useView<{ drawer?: string }>();
  const refusal = useRefusal();
  const actions = (binding: RoleBinding): MenuAction[] => {
    const common = { label: "Open role binding", link: bindingPage(binding.uid) };
    // An inherited binding also applies elsewhere, so it is changed on the group where that is visible.
    if (from !== undefined)
      return [common, { label: `Manage access in ${groupNameOf(binding)}`, link: accessPage(from) }];
    return [
      common,
      {
        label: "Change role",
        onSelect: () => open("change-role", binding.uid),
        disabled: refusal(roleBindings.update, binding.uid),
      },
      {
        label: "Remove access",
        onSelect: () => open("remove-access", binding.uid),
        disabled: refusal(roleBindings.delete, binding.uid),
        danger: true,
      },
    ];
  };
  return <BindingTable rows={rows} by="identity" actions={actions} />;
}
