import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useWho, whoIsEmpty } from "~/access/who";
import { ApiError } from "~/api/errors";
import { groups } from "~/contract/iam/groups";
import { ActionButton } from "~/kit/action-button";
import { NothingYet, NotPermitted } from "~/kit/empty";
import { NoRows } from "~/parts/no-rows";
import { useGroup } from "~/parts/path";

interface NoGroupsProps {
  /** uid of the group that the list is limited to. */
  readonly group: string | undefined;
  /** The filters in force, in words. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
  readonly onOpen: (drawer: "create" | "create-organization") => void;
}

/** Why there are no rows, and what to do about it. */
export function NoGroups({ group, filters, onClear, onOpen }: NoGroupsProps): ReactNode {
  const { reason } = useCan(groups.create, group ?? "");
  const { error } = useGroup(group);
  const who = useWho();
  // Whoever may not see the group sees none in it either.
  if (!whoIsEmpty(who) && error instanceof ApiError && error.code === "PERMISSION_DENIED")
    return <NotPermitted to="see this group" capability={error.missingCapability} />;
  const [title, drawer, label] =
    group === undefined
      ? (["No organizations yet", "create-organization", "Create organization"] as const)
      : (["No folders here yet", "create", "Create folder"] as const);
  return (
    <NoRows list={groups.list} what="groups" group={group} filters={filters} onClear={onClear}>
      <NothingYet
        title={title}
        action={
          <ActionButton reason={reason} variant="filled" onClick={() => onOpen(drawer)}>
            {label}
          </ActionButton>
        }
      >
        {group === undefined
          ? "An organization holds folders, identities and roles. Whoever creates one becomes its owner."
          : "Folders divide an organization: a role that is given at one counts there and below."}
      </NothingYet>
    </NoRows>
  );
}
