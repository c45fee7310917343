import type { ReactNode } from "react";

import { formatCount } from "~/ui/display/numbers";
import { SelectField } from "~/ui/form/fields";

import { useRoleChoice } from "./roles";

interface RoleFieldProps {
  /** The form's name for it, where that is not `roleUid`. */
  readonly name?: string;
  readonly label?: string;
  readonly hint?: string;
  /** uid of the group where it is given; "" while nobody has chosen one. */
  readonly group: string;
  /** The role that is held now, which may not be among those that can be read. */
  readonly current?: { readonly uid: string; readonly name?: string | undefined } | undefined;
  /** Whether nothing has to be chosen. */
  readonly optional?: boolean;
  /** Why none can be given. */
  readonly disabled?: string | undefined;
}

/** The role to give. */
export function RoleField({
  name = "roleUid",
  label = "Role",
  group,
  current,
  optional = false,
  disabled,
  ...field
}: RoleFieldProps): ReactNode {
  const { options, pending, more, error } = useRoleChoice(group);
  const missing = current && !options.some(({ value }) => value === current.uid);
  const first = pending ? "Loading roles\u2026" : optional ? "No role" : "Choose a role";
  const hint = error
    ? `Not all roles could be loaded. ${error.message}`
    : more
      ? `The first ${formatCount(options.length)} roles are listed.`
      : (field.hint ?? "Built-in roles, and custom roles of this group or above.");
  return (
    <SelectField
      // A browser's list stays at its row when other options take the place of those it had: a new one takes the value.
      key={options.length}
      name={name}
      label={label}
      required={!optional}
      disabled={disabled}
      options={[
        { value: "", label: first },
        ...(missing ? [{ value: current.uid, label: current.name ?? current.uid }] : []),
        ...options,
      ]}
      hint={hint}
    />
  );
}
