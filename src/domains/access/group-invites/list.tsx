import type { ReactNode } from "react";

import { groupInvites, type GroupInvite } from "platform-contract/iam/group-invites";
import { useRefusal } from "~/frame/permissions/use-can";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import { createdColumn, groupColumn, nameColumn, timeColumn, updatedColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { ImportLink } from "~/frame/list/import-link";
import { Dash } from "~/ui/display/dash";
import { Time } from "~/ui/display/time";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import { invitedRoleOf, isExpired } from "~/domains/access/grants/sent-invites";
import { forWhom, groupInviteScreens, inviteAgain, inviterOf } from "./data";
import { InviteState } from "./state";

const columns: readonly Column<GroupInvite>[] = [
  nameColumn({ header: "For", width: "minmax(14rem, 4fr)", cell: forWhom }),
  {
    id: "state",
    header: "State",
    width: "8rem",
    cell: (invite) => <InviteState invite={invite} />,
    text: (invite) => (isExpired(invite) ? "expired" : "pending"),
  },
  {
    id: "role",
    header: "Role",
    width: "minmax(9rem, 2fr)",
    cell: (invite) => <RoleBadge name={invitedRoleOf(invite)} />,
    text: invitedRoleOf,
  },
  groupColumn(),
  timeColumn("expires", "Expires", "expiration_time", ({ expirationTime }) => expirationTime),
  {
    id: "inviter",
    header: "Invited by",
    width: "minmax(7rem, 2fr)",
    hideBelow: 1040,
    cell: (invite) => (invite.createdBy ? <bdi>{inviterOf(invite)}</bdi> : <Dash />),
    text: (invite) => inviterOf(invite) ?? "",
  },
  createdColumn({ hideBelow: 1140 }),
  {
    id: "uses",
    header: "Uses",
    width: "6rem",
    optional: true,
    cell: ({ singleUse }) => (singleUse ? "Once" : "Any"),
  },
  updatedColumn({ optional: true }),
  {
    id: "keyId",
    header: "Key id",
    width: "11rem",
    optional: true,
    cell: ({ keyId }) => <code>{keyId}</code>,
    text: ({ keyId = "" }) => keyId,
  },
  uidColumn,
];

/** Lists who was invited to which group, with which role. */
export function GroupInviteList(): ReactNode {
  const list = useListScreen(groupInviteScreens);
  const refusal = useRefusal();
  const selection = useBulkDelete(
    list,
    "The links stop working immediately. People who already joined keep their access.",
    {
      again: inviteAgain,
      differs: "Their links are new: “Re-issue” shows one to send. Expired invites don't come back.",
    },
  );
  const create = <CreateButton list={list}>Create invite</CreateButton>;
  return (
    <ListPage
      list={list}
      description="Links that let people join with a role."
      actions={<ImportLink list={list} kind="group-invites" />}
      action={create}
    >
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        summary={(invite) => (
          <>
            <bdi>{invitedRoleOf(invite)}</bdi> · {isExpired(invite) ? "expired" : "expires"}{" "}
            <Time value={invite.expirationTime} />
          </>
        )}
        aside={(invite) => <InviteState invite={invite} />}
        actions={(invite) => [
          {
            label: "Re-issue",
            onSelect: () => list.open("reissue", invite.uid),
            disabled: refusal(groupInvites.create, invite.uid) ?? refusal(groupInvites.delete, invite.uid),
          },
        ]}
        selection={selection}
      >
        <NothingYet title="No invites here yet" action={create}>
          An invite is a link. A person who opens it joins the organization or folder with the role you
          choose.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
