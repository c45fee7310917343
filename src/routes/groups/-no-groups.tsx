import type { ReactNode } from "react";
import { Button } from "@mantine/core";

import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { ApiError } from "~/api/errors";
import { groups } from "~/contract/iam/groups";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { NotFound, NothingMatches, NothingVisible, NothingYet, NotPermitted } from "~/kit/empty";
import { useGroup } from "~/parts/path";
import type { Scope } from "~/parts/scope";

interface NoGroupsProps {
  readonly scope: Scope;
  /** The filters in force, in words. */
  readonly filters: readonly string[];
  readonly onClear: () => void;
  readonly onOpen: (drawer: "create" | "create-organization") => void;
}

/** Why there are no rows, and what to do about it. */
export function NoGroups({ scope: { group }, filters, onClear, onOpen }: NoGroupsProps): ReactNode {
  const { state } = useWho();
  const list = useCan(groups.list, group);
  const create = useCan(groups.create, group ?? "");
  // A list of what may not be seen is empty as well (contract B7); the group itself is refused.
  const { error } = useGroup(group);
  const refused = error instanceof ApiError ? error : undefined;
  if (refused?.code === "NOT_FOUND") return <NotFound kind="group" sought={group} />;
  if (refused?.code === "PERMISSION_DENIED")
    return <NotPermitted to="see this group" capability={refused.missingCapability} />;
  if (!list.allowed && state !== "nobody")
    return <NotPermitted to="see groups here" capability={list.capability} />;
  if (filters.length > 0) return <NothingMatches what="groups" filters={filters} onClear={onClear} />;
  if (state === "unknown") return <NothingVisible />;
  const [title, drawer, label] =
    group === undefined
      ? (["No organizations yet", "create-organization", "Create organization"] as const)
      : (["No folders here yet", "create", "Create folder"] as const);
  return (
    <NothingYet
      title={title}
      action={
        <DisabledReason reason={create.reason}>
          <Button onClick={() => onOpen(drawer)}>{label}</Button>
        </DisabledReason>
      }
    >
      {group === undefined
        ? "An organization holds folders, identities and roles. Whoever creates one becomes its owner."
        : "Folders divide an organization: a role that is given at one counts there and below."}
    </NothingYet>
  );
}
