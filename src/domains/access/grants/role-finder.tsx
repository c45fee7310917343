import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { parentOf, rootOf } from "platform-contract/aip";
import { roles as roleList, type Role } from "platform-contract/iam/roles";
import { useUnseen } from "~/frame/scope/use-sight";
import { beyondRegistry } from "~/domains/access/roles/abilities";
import { roleSummary } from "~/domains/access/roles/role-summary";
import { findRoles } from "~/domains/access/roles/find-roles";
import { formatQuantity } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { fieldParts } from "~/ui/form/field-parts";

import { heldAt, lacking, useRoleChoice } from "./roles";
import choosing from "./choosing.module.css";
import classes from "./styles.module.css";

interface RoleFinderProps {
  /** uid of the group where the role is granted or filtered by; "" until one is chosen. */
  readonly group: string;
  /** True to choose among roles that can be granted there; false for all of the organization. */
  readonly granting: boolean;
  /** True if a machine gets it: then it says which roles allow more than a machine needs. */
  readonly machine?: boolean | undefined;
  readonly onPick: (uid: string) => void;
}

/** Capabilities of a role that are named, if the search found them. */
const NAMED = 3;

/** The one picker of a role: a search by name, by words and by dotted names, and what each role can do. */
export function RoleFinder({ group, granting, machine = false, onPick }: RoleFinderProps): ReactNode {
  const { roles, everywhere, pending, more, error, retry } = useRoleChoice(group);
  const held = heldAt(useCurrentUser(), group);
  const unseen = useUnseen(roleList.list, "roles", rootOf(group) || undefined);
  const [text, setText] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const found = findRoles(text, granting ? roles : everywhere);
  const refusalOf = (role: Role): string | undefined => {
    const missing = granting ? lacking(role, held).length : 0;
    return missing === 0
      ? undefined
      : `You can't grant it: it has ${formatQuantity(missing, "capability", "capabilities")} that you don't have here`;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    // Enter takes the first match instead of submitting the form.
    event.preventDefault();
    const [first] = found;
    if (event.key === "ArrowDown") list.current?.querySelector("button")?.focus();
    else if (text.trim() !== "" && first && refusalOf(first.role) === undefined) onPick(first.role.uid);
  };
  return (
    <div className={choosing["who"]}>
      <TextInput
        type="search"
        aria-label="Find roles"
        placeholder="Name, or what it can do: push, tag.delete"
        value={text}
        autoComplete="off"
        spellCheck={false}
        classNames={fieldParts}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error ? <FailedPart title="Some roles couldn't be loaded" error={error} onRetry={retry} /> : null}
      <ul ref={list} className={choosing["matches"]} aria-label="Roles">
        {found.map(({ role, capabilities }) => (
          <li key={role.uid}>
            <Choice
              role={role}
              matched={capabilities}
              machine={machine}
              refusal={refusalOf(role)}
              onPick={() => onPick(role.uid)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className={classes["note"]}>
        {pending ? "Loading roles\u2026 " : found.length === 0 ? `No matching roles. ${unseen ?? ""} ` : ""}
        {more ? "Only the first custom roles are listed. " : ""}
        {group === "" ? "Choose a folder to list its custom roles." : ""}
      </p>
    </div>
  );
}

interface ChoiceProps {
  readonly role: Role;
  /** The capabilities that the search found, in words. */
  readonly matched: readonly string[];
  readonly machine: boolean;
  /** Why it can't be granted. */
  readonly refusal: string | undefined;
  readonly onPick: () => void;
}

function Choice({ role, matched, machine, refusal, onPick }: ChoiceProps): ReactNode {
  const wires = role.capabilities ?? [];
  const beyond = machine ? beyondRegistry(wires).length : 0;
  const rest = matched.length - NAMED;
  return (
    <button
      type="button"
      className={choosing["match"]}
      aria-disabled={refusal === undefined ? undefined : true}
      onClick={() => (refusal === undefined ? onPick() : undefined)}
    >
      <span className={choosing["identity"]}>
        <span>
          <bdi>{role.name}</bdi>{" "}
          <span className={classes["note"]}>{parentOf(role.uid) === "" ? "built-in" : "custom"}</span>
        </span>
        <span className={classes["note"]}>{roleSummary(role)}</span>
        {matched.length > 0 ? (
          <span className={classes["note"]}>
            Has {matched.slice(0, NAMED).join(", ")}
            {rest > 0 ? `, and ${rest} more` : ""}
          </span>
        ) : null}
        {beyond > 0 ? (
          <span className={choosing["caution"]}>
            More than a machine needs for images: {formatQuantity(beyond, "other change", "other changes")}{" "}
            allowed
          </span>
        ) : null}
        {refusal === undefined ? null : <span className={choosing["caution"]}>{refusal}</span>}
      </span>
    </button>
  );
}
