import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { uidToParam } from "~/frame/scope/uid-param";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import { createdColumn, groupColumn, nameColumn, updatedColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen, type ListScreen } from "~/frame/list/list-screen";
import { Time } from "~/ui/display/time";
import { NothingYet } from "~/ui/feedback/empty";
import type { LinkTarget } from "~/ui/layout/link";
import type { MenuAction } from "~/ui/overlay/menu";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import {
  grantAgain,
  groupNameOf,
  identityUidOf,
  isOfMachine,
  roleNameOf,
  whoOf,
} from "~/domains/access/grants/bindings";
import { grantLink } from "~/domains/access/grants/links";
import { roleBindingScreens } from "./data";
import { HolderSeen, HOLDERS_SEEN, readSeen } from "~/domains/access/grants/holder-seen";
import { HolderKind } from "~/domains/access/grants/holder-kind";
import { NO_EFFECT, NoEffectBadge, takesEffect } from "~/domains/access/grants/no-effect";
import { RoleEnd } from "~/domains/access/grants/role-end";
import { useBulkRefusal } from "~/domains/access/grants/use-bulk-refusal";
import { GroupFilter, IdentityFilter, RoleFilter } from "~/domains/access/grants/filter-controls";

const columns: readonly Column<RoleBinding>[] = [
  nameColumn({ header: "Identity", cell: whoOf }),
  {
    id: "kind",
    header: "Kind",
    width: "6rem",
    hideBelow: 840,
    cell: (binding) => <HolderKind machine={isOfMachine(binding)} />,
    text: (binding) => (isOfMachine(binding) ? "Machine" : "Person"),
  },
  {
    id: "role",
    header: "Role",
    width: "minmax(13rem, 2fr)",
    cell: (binding) => (
      <>
        <RoleBadge name={roleNameOf(binding)} /> <NoEffectBadge of={binding} />
        <RoleEnd of={binding} />
      </>
    ),
    text: (binding) => `${roleNameOf(binding)}${takesEffect(binding) ? "" : ` (${NO_EFFECT.toLowerCase()})`}`,
  },
  groupColumn(),
  {
    id: "ends",
    header: "Ends",
    width: "9rem",
    optional: true,
    inFile: true,
    cell: ({ expirationTime }) => <Time value={expirationTime} absent="never" />,
    text: ({ expirationTime }) => expirationTime ?? "",
  },
  {
    id: "seen",
    header: "Last seen",
    width: "8rem",
    hideBelow: 940,
    cell: (binding) => <HolderSeen binding={binding} />,
    text: false,
    readTexts: readSeen,
  },
  createdColumn({ hideBelow: 1100 }),
  updatedColumn({ optional: true }),
  uidColumn,
];

/** Lists who has which role, and where. */
export function RoleBindingList(): ReactNode {
  const list = useListScreen(roleBindingScreens);
  const refusal = useBulkRefusal();
  const selection = useBulkDelete(
    { ...list, refusal },
    "These grants end immediately. What the same identities can do through other role bindings stays.",
    {
      again: grantAgain,
    },
  );
  const grant = <CreateButton list={list}>Grant access</CreateButton>;
  return (
    <ListPage
      list={list}
      description="Who has which role, and where. A role applies to its folder and everything below it."
      action={grant}
    >
      <ListFilters list={list} columns={columns} controls={controlsOf(list)}>
        <GroupFilter
          value={list.scope.group && uidToParam(list.scope.group)}
          group={list.scope.group}
          onChange={(group) => list.filter({ group })}
        />
      </ListFilters>
      <ListRows
        list={list}
        columns={columns}
        summary={(binding) => (
          <>
            <bdi>{roleNameOf(binding)}</bdi> in <bdi>{groupNameOf(binding)}</bdi>
            <RoleEnd of={binding} />
          </>
        )}
        aside={(binding) =>
          takesEffect(binding) ? (
            <HolderKind machine={isOfMachine(binding)} />
          ) : (
            <NoEffectBadge of={binding} />
          )
        }
        actions={linksOf}
        alsoRefresh={HOLDERS_SEEN}
        selection={selection}
      >
        <NothingYet title="No role bindings here yet" action={grant}>
          A role binding gives an identity a role in a group and everything below it.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}

/** Filters chosen by name; the address contains the uid. */
const controlsOf = <I,>({ search, scope: { group }, filter }: ListScreen<RoleBinding, I>) => ({
  identity: (
    <IdentityFilter value={search["identity"]} group={group} onChange={(identity) => filter({ identity })} />
  ),
  role: <RoleFilter value={search["role"]} group={group} onChange={(role) => filter({ role })} />,
});

const only = (search: object): LinkTarget => linkOptions({ to: "/role-bindings", search });

const linksOf = (binding: RoleBinding): MenuAction[] => {
  const [identity, role, group] = [identityUidOf(binding), roleUidOf(binding), parentOf(binding.uid)];
  return [
    { label: "Grant this role to somebody else", link: grantLink({ role, group }) },
    { label: "Show only this identity", link: only({ identity: uidToParam(identity) }) },
    { label: "Show only this role", link: only({ role: uidToParam(role) }) },
    { label: "Show only this group", link: only({ group: uidToParam(group), reach: "here" }) },
  ];
};
