import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { parentOf } from "~/contract/aip";
import { roleBindings, roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import { uidToParam } from "~/features/scope/uid-param";
import { useView } from "~/resource/use-view";
import { reaches } from "~/screens/identities/reach";
import { Badge } from "~/ui/display/badge";
import { Time } from "~/ui/display/time";
import { AppLink, type LinkTarget } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";

import { groupNameOf, identityUidOf, roleNameOf, whoOf } from "./data";
import { isPerson } from "./identity-words";
import { accessPage, bindingPage } from "./links";
import classes from "./styles.module.css";

const pageOf = (to: "/identities/$uid" | "/roles/$uid", uid: string): LinkTarget =>
  linkOptions({ to, params: { uid: uidToParam(uid) } });

interface AccessRowsProps {
  readonly rows: readonly RoleBinding[];
  /** uid of the group above that these were granted at; undefined: at the group itself. */
  readonly from: string | undefined;
}

/** Who has which role by these bindings, and what can be done about it. */
export function AccessRows({ rows, from }: AccessRowsProps): ReactNode {
  const { open } = useView<{ drawer?: string }>();
  const refusal = useRefusal();
  const actions = (binding: RoleBinding): MenuAction[] => {
    const common = { label: "Open role binding", link: bindingPage(binding.uid) };
    // What is granted above counts elsewhere too, so that it is changed where that can be seen.
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
  return (
    <table className={classes["table"]}>
      <thead>
        <tr>
          <th scope="col">Identity</th>
          <th scope="col">Role</th>
          <th scope="col" className={classes["when"]}>
            Granted
          </th>
          <th scope="col" className={classes["more"]}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((binding) => {
          const identity = identityUidOf(binding);
          return (
            <tr key={binding.uid}>
              <th scope="row">
                <AppLink target={pageOf("/identities/$uid", identity)}>
                  <bdi>{whoOf(binding)}</bdi>
                </AppLink>{" "}
                <span className={classes["note"]}>{isPerson(identity) ? "person" : "machine"}</span>
              </th>
              <td>
                <AppLink target={pageOf("/roles/$uid", roleUidOf(binding))}>
                  <bdi>{roleNameOf(binding)}</bdi>
                </AppLink>{" "}
                {reaches(identity, parentOf(binding.uid)) ? null : (
                  <Badge tone="warning">No effect here</Badge>
                )}
              </td>
              <td className={classes["when"]}>
                <Time value={binding.createTime} />
              </td>
              <td className={classes["more"]}>
                <ActionMenu
                  label={`Actions for ${whoOf(binding)}, ${roleNameOf(binding)}`}
                  actions={() => actions(binding)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
