import type { ReactNode } from "react";

import classes from "./check.module.css";

interface CheckProps {
  readonly label: string;
  /** The label is for screen readers only, where the text beside says it. */
  readonly bare?: boolean;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox without the code of the form's fields, for pages that are not a form. */
export function Check({ label, bare = false, checked, disabled = false, onChange }: CheckProps): ReactNode {
  const box = (
    <input
      type="checkbox"
      aria-label={bare ? label : undefined}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
  return (
    <label className={classes["check"]}>
      {box}
      {bare ? null : label}
    </label>
  );
}
