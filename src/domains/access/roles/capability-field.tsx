import { Button } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";
import { useController, useFormContext, useFormState, useWatch } from "react-hook-form";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { heldAt, useRoleChoice } from "~/domains/access/grants/roles";
import "~/ui/controls/button-styles";
import { formatQuantity, formatCount } from "~/ui/display/numbers";
import { announce } from "~/ui/feedback/announcer";
import { plainField } from "~/ui/form/plain-field";
import { useFieldError } from "~/ui/form/use-field";
import type { Role } from "platform-contract/iam/roles";

import { areasOf, capabilityOf, inOrder, isKnown, OFFERED } from "./areas";
import { CapabilityArea } from "./capability-area";
import { isSought, typedName, type MayAdd } from "./choice";
import choice from "./choice.module.css";
import classes from "./styles.module.css";
import { RolePick } from "./role-pick";

interface PresetsProps {
  /** uid of the role's group; "" until one is chosen. */
  readonly group: string;
  readonly chosen: ReadonlySet<string>;
  readonly mayAdd: MayAdd;
  readonly onChange: (chosen: ReadonlySet<string>, words: string) => void;
}

/** Adds the capabilities of another role, except those that the caller can't grant. */
function Presets({ group, chosen, mayAdd, onChange }: PresetsProps): ReactNode {
  const { roles } = useRoleChoice(group);
  const [said, setSaid] = useState("");
  const add = ({ name, capabilities = [] }: Role) => {
    const offered = capabilities.filter((wire) => OFFERED.includes(wire));
    const added = offered.filter((wire) => mayAdd(wire) && !chosen.has(wire));
    const left = offered.filter((wire) => !mayAdd(wire)).length;
    const words = [
      `Added ${formatQuantity(added.length, "capability", "capabilities")} from ${name}.`,
      ...(left > 0 ? [`${formatCount(left)} skipped because you don't have them in this group.`] : []),
    ].join(" ");
    setSaid(words);
    onChange(new Set([...chosen, ...added]), words);
  };
  return (
    <div>
      <RolePick label="Add all capabilities of a role" button="Add to this role" roles={roles} onPick={add} />
      {said ? <p className={classes["hint"]}>{said}</p> : null}
    </div>
  );
}

const NAME = "capabilities";
const NONE: readonly string[] = [];

interface CapabilityFieldProps {
  /** uid of an existing role's group; undefined for a new role, whose group is in the form. */
  readonly group: string | undefined;
}

/** Edits the form's `capabilities`, a list of wire names. */
export function CapabilityField({ group: own }: CapabilityFieldProps): ReactNode {
  const { control } = useFormContext();
  const {
    field: { ref, value, onChange, onBlur },
  } = useController({ name: NAME, control });
  const { defaultValues } = useFormState({ control });
  const error = useFieldError(NAME);
  const parent: string = useWatch({ control, name: "parent" });
  const who = useCurrentUser();
  const id = useId();
  const [text, setText] = useState("");

  const group = own ?? parent;
  const held = heldAt(who, group);
  // For an existing role, the caller only needs to have the capabilities that they add.
  const before: readonly string[] = own === undefined ? NONE : (defaultValues?.[NAME] ?? NONE);
  const chosen = new Set<string>(value ?? NONE);
  // The service decides about capabilities that this console doesn't know.
  const mayAdd = (wire: string) => held?.has(wire) !== false || before.includes(wire) || !isKnown(wire);
  const change = (next: ReadonlySet<string>, words?: string) => {
    onChange(inOrder(next));
    announce(words ?? formatQuantity(next.size, "capability chosen", "capabilities chosen"));
  };
  const lacking = [...chosen].filter((wire) => !mayAdd(wire));

  const all = areasOf([...OFFERED, ...before, ...chosen]);
  const shown = all.flatMap(({ title, capabilities }) => {
    const found = capabilities.filter((each) => isSought(text, each));
    return found.length > 0 ? [{ title, capabilities: found }] : [];
  });
  const unknown = shown.length === 0 ? typedName(text) : undefined;
  return (
    <div role="group" aria-labelledby={`${id}-label`} className={choice["picker"]}>
      <div>
        <span id={`${id}-label`} className={classes["label"]}>
          Capabilities{" "}
          <span className={choice["required"]} aria-hidden="true">
            *
          </span>
        </span>
        <input
          ref={ref}
          type="search"
          className={plainField}
          aria-label="Search capabilities"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          placeholder="Search capabilities, e.g. tag.list or push"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={onBlur}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
            if (event.key !== "Escape" || text === "") return;
            // Escape clears the search instead of closing the form.
            event.preventDefault();
            event.stopPropagation();
            setText("");
          }}
        />
        <div id={`${id}-note`} className={error ? choice["message"] : classes["hint"]}>
          {error ??
            `You can add capabilities that you have in ${group === "" ? "the folder: choose it first" : "this group"}.`}
        </div>
      </div>
      <Presets group={group} chosen={chosen} mayAdd={mayAdd} onChange={change} />
      <div className={choice["areas"]}>
        {shown.map((area) => (
          <CapabilityArea
            key={area.title}
            {...area}
            chosen={chosen}
            before={own === undefined ? undefined : before}
            mayAdd={mayAdd}
            searched={text.trim() !== ""}
            onChange={change}
          />
        ))}
        {shown.length === 0 ? (
          <p className={classes["quiet"]} role="status">
            No matching capabilities.
          </p>
        ) : null}
        {unknown === undefined ? null : (
          <div>
            <Button
              variant="default"
              onClick={() => {
                setText("");
                change(new Set([...chosen, unknown]), `Added ${unknown}`);
              }}
            >
              Add {unknown}
            </Button>
            <p className={classes["hint"]}>This console doesn't know it. A newer service might.</p>
          </div>
        )}
      </div>
      {lacking.length > 0 ? (
        <div className={choice["lacking"]}>
          <span>
            You don't have {formatQuantity(lacking.length, "chosen capability", "chosen capabilities")} in
            this group.
          </span>
          <Button
            variant="default"
            onClick={() => change(new Set([...chosen].filter(mayAdd)), `Removed ${lacking.length}`)}
          >
            Remove {lacking.length === 1 ? capabilityOf(lacking[0] ?? "").name : `these ${lacking.length}`}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
