import type { ReactNode } from "react";

import { SelectField } from "~/ui/form/fields";

import type { ParentOption } from "~/features/scope/use-parent-options";

interface HomeFieldProps {
  /** uid of the group that the screen is about. */
  readonly scope: string | undefined;
  /** As `useHomes(scope)` finds them. */
  readonly homes: readonly ParentOption[];
  readonly label?: string;
}

/** The group that a new record belongs to: the form's `parent`. */
export function ParentGroupField({ scope, homes, label = "Belongs to" }: HomeFieldProps): ReactNode {
  const options = homes.map(({ uid, label }) => ({ value: uid, label }));
  return (
    <SelectField
      name="parent"
      label={label}
      required
      options={scope === undefined ? [{ value: "", label: "Choose a group" }, ...options] : options}
      hint="To use another folder, choose it under Scope first."
    />
  );
}
