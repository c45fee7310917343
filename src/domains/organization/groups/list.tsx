import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { ApiError } from "platform-client/errors";
import { isWithin, parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { ImportLink } from "~/frame/list/import-link";
import { ActionButton } from "~/ui/controls/action-button";
import { NothingYet } from "~/ui/feedback/empty";
import { onDemand } from "~/ui/on-demand";
import { Time } from "~/ui/display/time";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { useTopGroups } from "~/frame/scope/top-groups";
import { uidToParam } from "~/frame/scope/uid-param";
import { useBulkActs } from "~/frame/list/bulk-acts";
import { useView } from "~/frame/use-view";
import {
  createdColumn,
  descriptionColumn,
  groupColumn,
  nameColumn,
  updatedColumn,
} from "~/frame/list/columns";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { kindOf } from "~/frame/scope/group-words";

import { groupScreens, loadDrawers } from "./data";
import { useGroupMenu } from "./group-menu";

interface CreateProps {
  /** uid of the parent of a new folder; undefined until one is chosen. */
  readonly home: string | undefined;
  readonly onCreate: () => void;
}

const NO_HOME = "Choose an organization or folder under Scope, or use its row menu";

/** The buttons of the list of groups never swap places, since the parent can load late; the likelier one is filled. */
function CreateOrganization({ home, onCreate }: CreateProps): ReactNode {
  const { reason } = useCan(groups.create, "");
  return (
    <ActionButton reason={reason} variant={home === undefined ? "filled" : "default"} onClick={onCreate}>
      Create organization
    </ActionButton>
  );
}

function CreateFolder({
  home,
  refusal,
  onCreate,
}: CreateProps & { readonly refusal: string | undefined }): ReactNode {
  const { reason = refusal } = useCan(groups.create, home ?? "");
  return (
    <ActionButton
      reason={home === undefined ? NO_HOME : reason}
      variant={home === undefined ? "default" : "filled"}
      onClick={onCreate}
    >
      Create folder
    </ActionButton>
  );
}

const GroupActs = onDemand(async () => (await loadDrawers()).GroupActs);

const columns: readonly Column<Group>[] = [
  nameColumn({ width: "minmax(10rem, 4fr)" }),
  groupColumn({ header: "Folder", width: "minmax(8rem, 4fr)" }),
  descriptionColumn({ width: "minmax(8rem, 4fr)" }),
  createdColumn({ width: "8.5rem", hideBelow: 720 }),
  updatedColumn({ width: "8.5rem" }),
  uidColumn,
];

/** Lists organizations and folders: all that the caller can see, or those in the scope. */
export function GroupList(): ReactNode {
  const list = useListScreen(groupScreens);
  const { scope, open, close } = list;
  const selection = useBulkActs(list, GroupActs, undefined);
  const { show } = useView();
  const { group: home } = useChosenGroup();
  const menu = useGroupMenu();
  const { error } = useGroup(scope.group);
  const denied = error instanceof ApiError && error.code === "PERMISSION_DENIED" ? error : undefined;
  /** Closes the dialog. If the scope was deleted with the group, moves it up to the group's parent. */
  const leave = (uid: string) => {
    if (scope.group === undefined || !isWithin(scope.group, uid)) return close();
    const parent = parentOf(uid);
    const group = parent === "" ? undefined : uidToParam(parent);
    const up: object = { drawer: undefined, item: undefined, group, at: undefined };
    show(up, true);
  };
  const { organizations, folders } = useTopGroups();
  const onlyFolders = scope.group !== undefined || (folders.length > 0 && organizations.length === 0);
  return (
    <ListPage
      list={list}
      description={
        scope.group === undefined
          ? onlyFolders
            ? "Folders that you can see."
            : "Organizations and folders."
          : `Folders inside this ${kindOf(scope.group)}.`
      }
      actions={
        scope.group === undefined ? (
          <CreateOrganization home={home} onCreate={() => open("create-organization")} />
        ) : (
          <ImportLink list={list} kind="groups" />
        )
      }
      action={<CreateFolder home={home} refusal={list.createRefusal} onCreate={() => open("create", home)} />}
      onDeleted={leave}
    >
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        aside={({ updateTime }) => <Time value={updateTime} />}
        actions={({ uid }) => menu(uid)}
        selection={selection}
        missing={
          denied && (
            <HiddenByRole capability={denied.missingCapability} group={scope.group} place={scope.group} />
          )
        }
      >
        <NoGroups group={scope.group} onOpen={open} />
      </ListRows>
    </ListPage>
  );
}

interface NoGroupsProps {
  /** uid of the group that limits the list. */
  readonly group: string | undefined;
  readonly onOpen: (drawer: string) => void;
}

function NoGroups({ group, onOpen }: NoGroupsProps): ReactNode {
  const { reason } = useCan(groups.create, group ?? "");
  const top = group === undefined;
  return (
    <NothingYet
      title={top ? "No organizations yet" : "No folders here yet"}
      action={
        <ActionButton
          reason={reason}
          variant="filled"
          onClick={() => onOpen(top ? "create-organization" : "create")}
        >
          {top ? "Create organization" : "Create folder"}
        </ActionButton>
      }
    >
      {top
        ? "Organizations hold folders, identities and repos. You become the owner of those you create."
        : "Folders divide an organization. Roles granted on a folder apply to everything below it."}
    </NothingYet>
  );
}
