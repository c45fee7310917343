import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, useSyncExternalStore, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";
import { useController } from "react-hook-form";

import "../controls/button-styles";
import { LOCAL_TIMES } from "../display/time-text";
import { readPreference, subscribePreferences } from "../preferences";
import classes from "./fields.module.css";
import { fieldParts } from "./field-parts";
import { INCOMPLETE, inDays, typedTime, wireTime, zoneName } from "./date-time";
import { shared, useFieldError, useFieldLabel, type FieldProps } from "./use-field";

export interface DateTimePreset {
  readonly label: string;
  /** From now; undefined empties the field. */
  readonly days?: number;
}

interface DateTimeFieldProps extends FieldProps {
  /** Common answers, as buttons. */
  readonly presets?: readonly DateTimePreset[];
}

/**
 * A date and time in the zone in which the user reads times, which the label names. The form's value is the API's own: a
 * text in UTC, "" if there is none, and `INCOMPLETE` for one that was only typed in part, so that it is not taken for none.
 */
export function DateTimeField({ presets = [], ...field }: DateTimeFieldProps): ReactNode {
  const { name, label } = field;
  useSyncExternalStore(subscribePreferences, () => readPreference(LOCAL_TIMES));
  useFieldLabel(name, label);
  const {
    field: { value, onChange, onBlur, ref },
  } = useController({ name });
  /** What was typed: the input must not be rewritten while a year has only three digits. */
  const [typed, setTyped] = useState({ text: "", wire: "" });
  const text = value === typed.wire ? typed.text : typedTime(String(value));
  const set = (wire: string, as = "") => {
    setTyped({ text: as || typedTime(wire), wire });
    onChange(wire);
  };
  /** An input that is filled in part has no value, and no event says so. */
  const check = ({ currentTarget }: FocusEvent<HTMLInputElement> | KeyboardEvent<HTMLInputElement>) => {
    if (currentTarget.validity.badInput !== (value === INCOMPLETE))
      set(currentTarget.validity.badInput ? INCOMPLETE : wireTime(currentTarget.value), currentTarget.value);
  };
  return (
    <div>
      <TextInput
        {...shared({ ...field, label: `${label} (${zoneName(String(value))})` }, useFieldError(name))}
        ref={ref}
        name={name}
        type="datetime-local"
        max="9999-12-31T23:59"
        value={text}
        onChange={({ currentTarget }) =>
          set(
            currentTarget.validity.badInput ? INCOMPLETE : wireTime(currentTarget.value),
            currentTarget.value,
          )
        }
        onKeyUp={check}
        onBlur={(event) => {
          check(event);
          onBlur();
        }}
        classNames={fieldParts}
      />
      {presets.length > 0 ? (
        <div className={classes["presets"]} role="group" aria-label={label}>
          {presets.map((preset) => (
            <Button
              key={preset.label}
              variant="default"
              size="compact-sm"
              disabled={field.disabled !== undefined}
              onClick={() => set(preset.days === undefined ? "" : inDays(preset.days))}
            >
              {preset.label}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
