import { Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState } from "react";
import { useController } from "react-hook-form";

import { sameValue } from "platform-contract/values";
import classes from "./fields.module.css";
import { fieldParts } from "./field-parts";
import { shared, useFieldError, useFieldLabel, type FieldProps } from "./use-field";

interface LinesFieldProps extends FieldProps {
  rows?: number;
}

const toLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** A list of texts, one per line, since users paste lists that way. The form's value is the list. */
export function LinesField({ rows = 3, ...field }: LinesFieldProps) {
  const {
    field: { ref, value: given = [], onChange, onBlur },
  } = useController({ name: field.name });
  const error = useFieldError(field.name);
  useFieldLabel(field.name, field.label);
  const list: readonly string[] = given;
  const lines = list.join("\n");
  const [text, setText] = useState(lines);
  // Changed from outside (the form was filled or reset): use the new value.
  if (!sameValue(toLines(text), toLines(lines))) setText(lines);
  return (
    <Textarea
      {...shared({ hint: "One per line.", ...field }, error)}
      ref={ref}
      name={field.name}
      value={text}
      rows={rows}
      resize="vertical"
      spellCheck={false}
      dir="auto"
      classNames={{ ...fieldParts, input: `${classes["area"]} ${classes["code"]}` }}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(toLines(event.currentTarget.value));
      }}
      onBlur={onBlur}
    />
  );
}
