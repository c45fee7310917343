import { TriangleAlertIcon } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useFormContext, useFormState } from "react-hook-form";

import classes from "./fields.module.css";
import { labelsOf, type FieldLabel } from "./labels";
import { fieldMessage } from "./problems";

/** What every field takes. */
export interface FieldProps {
  /** Its path in the form's values: `claimMatch.subject`. */
  name: string;
  label: string;
  /** Beneath the field; an error takes its place. */
  hint?: ReactNode;
  required?: boolean;
  /** Why it cannot be changed now; shown in place of the hint. */
  disabled?: string | undefined;
}

/** Mantine's parts of a field, in our measures. */
export const fieldParts = {
  label: classes["label"] ?? "",
  description: classes["hint"] ?? "",
  error: classes["message"] ?? "",
  wrapper: classes["wrapper"] ?? "",
};

/** Says what a field is called, for what speaks of its value elsewhere. */
export function useFieldLabel(name: string, label: string, options?: FieldLabel["options"]): void {
  const { control } = useFormContext();
  useEffect(() => {
    const labels = labelsOf(control);
    labels.set(name, { label, options });
    return () => void labels.delete(name);
  }, [control, name, label, options]);
}

/** The error of one field, ready to show: an icon and words. Renders again when this field's error changes, no other. */
export function useFieldError(name: string): ReactNode {
  const { control } = useFormContext();
  const state = useFormState({ control, name, exact: true });
  const message = control.getFieldState(name, state).error?.message;
  return message ? (
    <span className={classes["error"]}>
      <TriangleAlertIcon size={12} />
      <span>{fieldMessage(message)}</span>
    </span>
  ) : undefined;
}

/** What Mantine's fields are told. It takes no undefined under exactOptionalPropertyTypes: only what is there. */
export const shared = ({ label, hint, required, disabled }: FieldProps, error: ReactNode) => ({
  label,
  ...(error || (hint === undefined && disabled === undefined) ? {} : { description: disabled ?? hint }),
  ...(disabled === undefined ? {} : { disabled: true }),
  ...(required ? { required } : {}),
  ...(error ? { error } : {}),
});
