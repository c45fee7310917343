import { TriangleAlertIcon } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useFormContext, useFormState } from "react-hook-form";

import classes from "./fields.module.css";
import { labelsOf, type FieldLabel } from "./labels";
import { fieldMessages } from "./problems";

/** Props of every field. */
export interface FieldProps {
  /** Its path in the form's values: `claimMatch.subject`. */
  name: string;
  label: string;
  /** Below the field; an error replaces it. */
  hint?: ReactNode;
  required?: boolean;
  /** Why it cannot be changed now; shown in place of the hint. */
  disabled?: string | undefined;
}

/** Registers a field's label and options, for views of its value elsewhere. */
export function useFieldLabel(name: string, label: string, options?: FieldLabel["options"]): void {
  const { control } = useFormContext();
  useEffect(() => {
    const labels = labelsOf(control);
    labels.set(name, { label, options });
    return () => void labels.delete(name);
  }, [control, name, label, options]);
}

/** The error of one field as an icon and text. Rerenders only when this field's error changes. */
export function useFieldError(name: string): ReactNode {
  const { control } = useFormContext();
  const state = useFormState({ control, name, exact: true });
  const message = control.getFieldState(name, state).error?.message;
  return message ? (
    <span className={classes["error"]}>
      <TriangleAlertIcon size={12} />
      <span>
        {fieldMessages(message).map((line) => (
          <span key={line} className={classes["line"]}>
            {line}
          </span>
        ))}
      </span>
    </span>
  ) : undefined;
}

/** Common props of Mantine's fields. Omits unset ones, since exactOptionalPropertyTypes does not permit undefined. */
export const shared = ({ label, hint, required, disabled }: FieldProps, error: ReactNode) => ({
  label,
  ...(error || (hint === undefined && disabled === undefined) ? {} : { description: disabled ?? hint }),
  ...(disabled === undefined ? {} : { disabled: true }),
  ...(required ? { required } : {}),
  ...(error ? { error } : {}),
});
