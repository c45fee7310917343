import { Button } from "@mantine/core";
import { PlusIcon, XIcon } from "lucide-react";
import { useId, useRef, type ReactNode } from "react";
import { useFieldArray, useFormContext } from "react-hook-form";

import "../controls/button-styles";
import { IconButton } from "../controls/icon-button";
import { useFieldLabel } from "./use-field";
import classes from "./rows-field.module.css";

interface RowsFieldProps {
  /** The path of a list of objects in the form's values. */
  name: string;
  label: string;
  /** Name of one object: "user". */
  one: string;
  hint?: ReactNode;
  /** Initial value of a new object. */
  blank: object;
  /** The fields of one object; `at` is its path, for their names. */
  children: (at: string) => ReactNode;
}

/** A list of nested objects, with the same few fields for each. */
export function RowsField({ name, label, one, hint, blank, children }: RowsFieldProps) {
  const { control } = useFormContext();
  useFieldLabel(name, label);
  const { fields, append, remove } = useFieldArray({ control, name });
  const add = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes["rows"]}>
      <span id={id} className={classes["label"]}>
        {label}
      </span>
      {hint ? <div className={classes["hint"]}>{hint}</div> : null}
      {fields.map((field, index) => (
        <fieldset key={field.id} className={classes["row"]}>
          <legend className={classes["legend"]}>
            {one[0]?.toUpperCase()}
            {one.slice(1)} {index + 1}
          </legend>
          <IconButton
            label={`Remove ${one} ${index + 1}`}
            tip="Remove"
            className={classes["remove"]}
            onClick={() => {
              remove(index);
              add.current?.focus();
            }}
          >
            <XIcon size={16} />
          </IconButton>
          {children(`${name}.${index}`)}
        </fieldset>
      ))}
      <Button
        ref={add}
        variant="default"
        className={classes["add"]}
        leftSection={<PlusIcon size={16} />}
        onClick={() => append(structuredClone(blank))}
      >
        Add {one}
      </Button>
    </div>
  );
}
