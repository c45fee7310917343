import { Button } from "@mantine/core";
import { PlusIcon, XIcon } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useController } from "react-hook-form";

import "../controls/button-styles";
import { IconButton } from "../controls/icon-button";
import { sameMap } from "platform-contract/values";
import classes from "./fields.module.css";
import { toMap, toPairs, type Pair } from "./pairs";
import { plainField } from "./plain-field";
import { useFieldError, useFieldLabel, type FieldProps } from "./use-field";

interface KeyValueFieldProps extends FieldProps {
  /** Names of a key and a value: "Claim", "Value". */
  keyLabel?: string;
  valueLabel?: string;
  /** "Add claim". */
  addLabel?: string;
}

/** A map of text to text, one row per entry. The form's value is the map that `toMap` returns for the rows. */
export function KeyValueField(props: KeyValueFieldProps) {
  const { keyLabel = "Key", valueLabel = "Value", addLabel = "Add", ...field } = props;
  const { field: control } = useController({ name: field.name });
  const error = useFieldError(field.name);
  useFieldLabel(field.name, field.label);
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const value: Record<string, string> = control.value ?? {};
  const [pairs, setPairs] = useState<readonly Pair[]>(() => toPairs(value));
  // Changed from outside (the form was filled or reset): use the new value.
  if (!sameMap(toMap(pairs).map, toMap(toPairs(value)).map)) setPairs(toPairs(value));
  const { repeated } = toMap(pairs);

  const change = (next: readonly Pair[]) => {
    setPairs(next);
    control.onChange(toMap(next).map);
  };
  const edit = (index: number, part: Partial<Pair>) =>
    change(pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  const add = () => {
    change([...pairs, { key: "", value: "" }]);
    setTimeout(() => group.current?.querySelector<HTMLElement>("[data-pair]:last-of-type input")?.focus());
  };
  const remove = (index: number) => {
    change(pairs.filter((_, at) => at !== index));
    group.current?.querySelector<HTMLElement>("[data-add]")?.focus();
  };
  const wrong =
    error ?? (repeated.size > 0 && `${[...repeated].join(", ")} appears twice; the last one is used`);
  const fixed = field.disabled !== undefined;
  const note = wrong || (field.disabled ?? field.hint);
  return (
    <div
      ref={group}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={note ? `${id}-note` : undefined}
    >
      <span id={`${id}-label`} className={classes["label"]}>
        {field.label}{" "}
        {field.required ? (
          <span className={classes["asterisk"]} aria-hidden="true">
            *
          </span>
        ) : null}
      </span>
      <div className={classes["pairs"]}>
        {pairs.map((pair, index) => (
          <div key={index} data-pair="" className={classes["pair"]}>
            <input
              aria-label={`${keyLabel} ${index + 1}`}
              placeholder={keyLabel}
              className={`${plainField} ${classes["code"]}`}
              aria-invalid={
                repeated.has(pair.key) || (error && (index === 0 || pair.key === "")) ? true : undefined
              }
              value={pair.key}
              disabled={fixed}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => edit(index, { key: event.currentTarget.value })}
              onBlur={control.onBlur}
            />
            <input
              aria-label={`${valueLabel} ${index + 1}`}
              placeholder={valueLabel}
              className={`${plainField} ${classes["code"]}`}
              value={pair.value}
              disabled={fixed}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => edit(index, { value: event.currentTarget.value })}
              onBlur={control.onBlur}
            />
            {fixed ? null : (
              <IconButton
                label={`Remove ${pair.key || `row ${index + 1}`}`}
                tip="Remove"
                onClick={() => remove(index)}
              >
                <XIcon size={16} />
              </IconButton>
            )}
          </div>
        ))}
        {fixed ? null : (
          <Button
            variant="default"
            className={classes["add"]}
            leftSection={<PlusIcon size={16} />}
            aria-invalid={error && pairs.length === 0 ? true : undefined}
            data-add=""
            onClick={add}
          >
            {addLabel}
          </Button>
        )}
      </div>
      {note ? (
        <div id={`${id}-note`} className={classes[wrong ? "message" : "hint"]}>
          {note}
        </div>
      ) : null}
    </div>
  );
}
