import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type KeyboardEvent, type ReactNode } from "react";

import { parentOf, rootOf } from "~/contract/aip";
import { PickGroup } from "~/features/group-tree/pick-group";
import { contains } from "~/ui/contains";
import { FailedPart } from "~/ui/feedback/failed-part";
import { fieldParts } from "~/ui/form/use-field";

import { IdentitySearch } from "./identity-search";
import { useRoleChoice } from "./roles";
import classes from "./styles.module.css";

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
    <Roles group={group ?? ""} onPick={onPick} />
  ) : (
    <Identities organization={rootOf(group ?? "")} onPick={onPick} />
  );
}

function Identities(props: { organization: string; onPick: (uid: string) => void }): ReactNode {
  const [text, setText] = useState("");
  return (
    <IdentitySearch
      organization={props.organization}
      chosen={[]}
      text={text}
      onText={setText}
      onAdd={props.onPick}
    />
  );
}

function Roles({ group, onPick }: { readonly group: string; onPick: (uid: string) => void }): ReactNode {
  const { everywhere, pending, more, error, retry } = useRoleChoice(group);
  const [text, setText] = useState("");
  const found = everywhere.filter(({ name }) => contains(text, [name]));
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Enter" && text.trim() !== "" && found[0]) onPick(found[0].uid);
  };
  return (
    <>
      <TextInput
        type="search"
        aria-label="Find roles"
        placeholder="Name"
        value={text}
        autoComplete="off"
        spellCheck={false}
        classNames={fieldParts}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error ? <FailedPart title="Some roles couldn't be loaded" error={error} onRetry={retry} /> : null}
      <ul className={classes["matches"]} aria-label="Roles">
        {found.map(({ uid, name }) => (
          <li key={uid}>
            <button type="button" className={classes["match"]} onClick={() => onPick(uid)}>
              <span className={classes["identity"]}>
                <bdi>{name}</bdi>
                <span className={classes["note"]}>{parentOf(uid) === "" ? "built-in" : "custom"}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className={classes["note"]}>
        {pending ? "Loading roles\u2026" : found.length === 0 ? "No matching roles." : ""}
        {more ? "Only the first custom roles are listed." : ""}
        {group === "" ? "Choose a group to list its custom roles." : ""}
      </p>
    </>
  );
}
