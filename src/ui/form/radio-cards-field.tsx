import { useId, type ReactNode } from "react";
import { useFormContext } from "react-hook-form";

import classes from "./fields.module.css";
import { useFieldError, useFieldLabel, type FieldProps } from "./use-field";

interface RadioCardsFieldProps extends FieldProps {
  options: readonly {
    readonly value: string;
    readonly label: string;
    readonly hint?: ReactNode;
    /** Why it cannot be chosen; shown in place of the hint. */
    readonly disabled?: string | undefined;
  }[];
}

/** A choice among a few options that each need a sentence. */
export function RadioCardsField({ options, ...field }: RadioCardsFieldProps) {
  const { register } = useFormContext();
  const error = useFieldError(field.name);
  useFieldLabel(field.name, field.label, options);
  const id = useId();
  const note = error ?? field.disabled ?? field.hint;
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={note ? `${id}-note` : undefined}
      aria-invalid={error ? true : undefined}
      aria-required={field.required}
    >
      <span id={`${id}-label`} className={classes["label"]}>
        {field.label}{" "}
        {field.required ? (
          <span className={classes["asterisk"]} aria-hidden="true">
            *
          </span>
        ) : null}
      </span>
      <div className={classes["cards"]}>
        {options.map((option) => (
          <label
            key={option.value}
            className={classes["card"]}
            data-disabled={(field.disabled ?? option.disabled) !== undefined || undefined}
          >
            <input
              type="radio"
              value={option.value}
              aria-labelledby={`${id}-${option.value}-label`}
              aria-describedby={`${id}-${option.value}`}
              {...register(field.name)}
              disabled={(field.disabled ?? option.disabled) !== undefined}
            />
            <span>
              <span id={`${id}-${option.value}-label`}>{option.label}</span>
              <span id={`${id}-${option.value}`} className={classes["cardHint"]}>
                {option.disabled ?? option.hint}
              </span>
            </span>
          </label>
        ))}
      </div>
      {note ? (
        <div id={`${id}-note`} className={classes[error ? "message" : "hint"]}>
          {note}
        </div>
      ) : null}
    </div>
  );
}
