import { useState, type ReactNode } from "react";

import { rootOf } from "platform-contract/aip";
import { PickGroup } from "~/frame/group-tree/pick-group";

import { IdentitySearch } from "./identity-search";
import { RoleFinder } from "./role-finder";

export interface PanelProps {
  readonly what: "identity" | "role" | "group";
  /** uid of the current choice. */
  readonly current: string | undefined;
  /** uid of the group that limits the list. */
  readonly group: string | undefined;
  readonly onPick: (uid: string) => void;
}

/** The panel for choosing a filter value. */
export function FilterPanel({ what, current, group, onPick }: PanelProps): ReactNode {
  if (what === "group") return <PickGroup label="All groups" current={current} onPick={onPick} />;
  return what === "role" ? (
    <RoleFinder group={group ?? ""} granting={false} onPick={onPick} />
  ) : (
    <Identities organization={rootOf(group ?? "")} onPick={onPick} />
  );
}

const focus = (input: HTMLInputElement | null): void => input?.focus();

function Identities(props: { organization: string; onPick: (uid: string) => void }): ReactNode {
  const [text, setText] = useState("");
  return (
    <IdentitySearch
      organization={props.organization}
      chosen={[]}
      text={text}
      onText={setText}
      onAdd={props.onPick}
      input={focus}
    />
  );
}
