import type { ReactNode } from "react";
import { Button } from "@mantine/core";

import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { groups } from "~/contract/iam/groups";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { NothingMatches, NothingVisible, NothingYet, NotPermitted } from "~/kit/empty";
import type { Scope } from "~/parts/scope";

interface NoGroupsProps {
  readonly scope: Scope;
  /** The exact name that was asked for. */
  readonly name: string | undefined;
  readonly onClear: () => void;
  readonly onOpen: (drawer: "create" | "create-organization") => void;
}

/** Why there are no rows, and what to do about it. */
export function NoGroups({ scope: { group }, name, onClear, onOpen }: NoGroupsProps): ReactNode {
  const { state } = useWho();
  const list = useCan(groups.list, group);
  const create = useCan(groups.create, group ?? "");
  if (!list.allowed && state !== "nobody")
    return <NotPermitted to="see groups here" capability={list.capability} />;
  if (name !== undefined)
    return <NothingMatches what="groups" filters={[`name is exactly "${name}"`]} onClear={onClear} />;
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
