import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { LastUsed } from "~/domains/access/use/last-used";
import { groupPage } from "~/frame/scope/group-link";
import { RoleLink } from "~/domains/access/roles/role-link";
import { identityLink } from "~/frame/record/identity-link";
import { Time } from "~/ui/display/time";
import { AppLink, type LinkTarget } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";

import { groupNameOf, identityUidOf, roleNameOf, whoOf } from "./bindings";
import { HolderSeen } from "./holder-seen";
import { HolderKind } from "./holder-kind";
import { isPerson } from "~/frame/scope/people";
import { Granted } from "./granted";
import { RoleEnd } from "./role-end";
import { NoEffectBadge } from "./no-effect";
import classes from "./styles.module.css";

/** Column for the part of a binding that distinguishes the rows, apart from the role. */
const PARTS = {
  identity: {
    title: "Identity",
    nameOf: whoOf,
    cell: (binding: RoleBinding): ReactNode => {
      const uid = identityUidOf(binding);
      return (
        <span className={classes["holder"]}>
          <Name of={whoOf(binding)} page={identityLink(uid)} />
          <span className={classes["note"]}>
            <HolderKind machine={!isPerson(uid)} />
          </span>
        </span>
      );
    },
  },
  group: {
    title: "Folder",
    nameOf: groupNameOf,
    cell: (binding: RoleBinding): ReactNode => (
      <Name of={groupNameOf(binding)} page={groupPage(parentOf(binding.uid))} />
    ),
  },
};

interface BindingTableProps {
  readonly rows: readonly RoleBinding[];
  /** What distinguishes the rows apart from the role: identities for a group's bindings, groups for an identity's. */
  readonly by: keyof typeof PARTS;
  readonly actions: (binding: RoleBinding, name: string) => readonly MenuAction[];
  /** Adds a button to a row: that of its most likely action. */
  readonly deed?: ((binding: RoleBinding, name: string) => ReactNode) | undefined;
  /** Adds when each role was last used. */
  readonly used?: boolean;
  /** Adds where each role was granted. */
  readonly places?: boolean;
}

/** A short table of role bindings on the page of another record. */
export function BindingTable({
  rows,
  by,
  actions,
  deed,
  used = false,
  places = false,
}: BindingTableProps): ReactNode {
  const { title, nameOf, cell } = PARTS[by];
  return (
    <table className={classes[by === "group" ? "places" : "holders"]}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Role</th>
          {by === "identity" ? (
            <th scope="col" className={classes["when"]}>
              Last seen
            </th>
          ) : null}
          <th scope="col" className={classes["when"]}>
            Granted
          </th>
          {used ? (
            <th scope="col" className={classes["used"]}>
              Last used
            </th>
          ) : null}
          {places ? <th scope="col">{PARTS.group.title}</th> : null}
          {deed ? (
            <th scope="col" className={classes["deed"]}>
              <VisuallyHidden>Remove</VisuallyHidden>
            </th>
          ) : null}
          <th scope="col" className={classes["more"]}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((binding) => {
          const name = `${nameOf(binding)}, ${roleNameOf(binding)}`;
          return (
            <tr key={binding.uid}>
              <th scope="row">{cell(binding)}</th>
              <td>
                <RoleLink uid={roleUidOf(binding)} name={roleNameOf(binding)} />{" "}
                <NoEffectBadge of={binding} />
                <RoleEnd of={binding} />
              </td>
              {by === "identity" ? (
                <td className={classes["when"]}>
                  <HolderSeen binding={binding} />
                </td>
              ) : null}
              <td className={classes["when"]}>
                {by === "group" ? <Granted binding={binding} /> : <Time value={binding.createTime} />}
              </td>
              {used ? (
                <td className={classes["used"]} data-label="Last used">
                  <LastUsed short binding={binding} everywhere={by === "group"} />
                </td>
              ) : null}
              {places ? <td>{PARTS.group.cell(binding)}</td> : null}
              {deed ? <td className={classes["deed"]}>{deed(binding, name)}</td> : null}
              <td className={classes["more"]}>
                <ActionMenu label={`Actions for ${name}`} actions={() => actions(binding, name)} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const Name = ({ of: name, page }: { readonly of: string; readonly page: LinkTarget }): ReactNode => (
  <AppLink target={page}>
    <bdi>{name}</bdi>
  </AppLink>
);
