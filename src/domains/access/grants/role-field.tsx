import { Button } from "@mantine/core";
import { useId, useRef, useState, type ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { parentOf } from "platform-contract/aip";
import { roleSummary } from "~/domains/access/roles/role-summary";
import "~/ui/controls/button-styles";
import { formatCount } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { SelectField } from "~/ui/form/fields";

import { RoleFinder } from "./role-finder";
import { useRoleChoice } from "./roles";
import choosing from "./choosing.module.css";

interface RoleFieldProps {
  /** Form field name, if not `roleUid`. */
  readonly name?: string;
  readonly label?: string;
  readonly hint?: string;
  /** uid of the group where it is granted; "" until one is chosen. */
  readonly group: string;
  /** The current role, which may not be among the readable ones. */
  readonly current?: { readonly uid: string; readonly name?: string | undefined } | undefined;
  /** True if the user doesn't have to choose one. */
  readonly optional?: boolean;
  /** True if a machine gets it. */
  readonly machine?: boolean | undefined;
  /** Why no role can be granted. */
  readonly disabled?: string | undefined;
}

const offeredWords = (group: string): string =>
  group === "" || parentOf(group) === ""
    ? "Built-in roles, and custom roles of the organization."
    : "Built-in roles, and custom roles of this folder and of those above it.";

/** Selects the role to grant. */
export function RoleField({
  name = "roleUid",
  label = "Role",
  group,
  current,
  optional = false,
  machine,
  disabled,
  ...field
}: RoleFieldProps): ReactNode {
  const { roles, options, pending, more, error } = useRoleChoice(group);
  const chosen: string | undefined = useWatch({ name });
  const role = roles.find(({ uid }) => uid === chosen);
  const missing = current && !options.some(({ value }) => value === current.uid);
  const first = pending ? "Loading roles\u2026" : optional ? "No role" : "Choose a role";
  const hint = error
    ? `Some roles couldn't be loaded. ${error.message}`
    : more
      ? `Only the first ${formatCount(options.length)} roles are listed.`
      : role
        ? roleSummary(role)
        : (field.hint ?? offeredWords(group));
  const { setValue } = useFormContext();
  const [finding, setFinding] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const pick = (uid: string) => {
    setValue(name, uid, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
    setFinding(false);
    button.current?.focus();
  };
  return (
    <div className={choosing["withFinder"]}>
      <SelectField
        // Remount when the options change: an existing <select> keeps its selected index instead of its value.
        key={options.length}
        name={name}
        label={label}
        required={!optional}
        disabled={disabled}
        options={[
          { value: "", label: first },
          ...(missing
            ? [{ value: current.uid, label: current.name ?? (pending ? "…" : shorten(current.uid)) }]
            : []),
          ...options,
        ]}
        hint={hint}
      />
      <Button
        ref={button}
        variant="default"
        disabled={disabled !== undefined}
        aria-expanded={finding}
        aria-controls={finding ? id : undefined}
        onClick={() => setFinding((now) => !now)}
      >
        {finding ? "Hide roles" : "Find a role"}
      </Button>
      {finding ? (
        <div id={id} className={choosing["finder"]}>
          <RoleFinder group={group} granting machine={machine} onPick={pick} />
        </div>
      ) : null}
    </div>
  );
}
