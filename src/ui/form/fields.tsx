import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/InlineInput.css";
import "@mantine/core/styles/Checkbox.css";
import { useFormContext } from "react-hook-form";

import classes from "./fields.module.css";
import { fieldParts, MORE } from "./field-parts";
import { shared, useFieldError, useFieldLabel, type FieldProps } from "./use-field";

interface TextFieldProps extends FieldProps {
  type?: "text" | "email" | "url" | "password";
  /** Monospace, for text that the reader compares exactly. */
  code?: boolean;
  placeholder?: string;
  autoComplete?: string;
}

export function TextField({
  type = "text",
  code = false,
  placeholder,
  autoComplete = "off",
  ...field
}: TextFieldProps) {
  const { register } = useFormContext();
  useFieldLabel(field.name, field.label);
  return (
    <TextInput
      {...shared(field, useFieldError(field.name))}
      {...register(field.name)}
      {...(placeholder === undefined ? {} : { placeholder })}
      type={type}
      autoComplete={autoComplete}
      spellCheck={false}
      dir="auto"
      classNames={{ ...fieldParts, input: (code && classes["code"]) || "" }}
    />
  );
}

interface TextAreaFieldProps extends FieldProps {
  rows?: number;
  code?: boolean;
}

export function TextAreaField({ rows = 3, code = false, ...field }: TextAreaFieldProps) {
  const { register } = useFormContext();
  useFieldLabel(field.name, field.label);
  return (
    <Textarea
      {...shared(field, useFieldError(field.name))}
      {...register(field.name)}
      rows={rows}
      resize="vertical"
      spellCheck={!code}
      dir="auto"
      classNames={{ ...fieldParts, input: `${classes["area"]} ${code ? classes["code"] : ""}` }}
    />
  );
}

interface SelectFieldProps extends FieldProps {
  options: readonly { readonly value: string; readonly label: string; readonly disabled?: boolean }[];
  /** The last line, which is no value but leads to more of them. */
  more?: { readonly label: string; readonly onSelect: () => void } | undefined;
}

/** A choice among a few values, as a native select. For "nothing chosen", pass an option with the value "". */
export function SelectField({ options, more, ...field }: SelectFieldProps) {
  const { register, getValues } = useFormContext();
  const registered = register(field.name);
  useFieldLabel(field.name, field.label, options);
  return (
    <NativeSelect
      {...shared(field, useFieldError(field.name))}
      {...registered}
      onChange={(event) => {
        if (!more || event.currentTarget.value !== MORE) return registered.onChange(event);
        event.currentTarget.value = getValues(field.name);
        return more.onSelect();
      }}
      data={more ? [...options, { value: MORE, label: more.label }] : [...options]}
      classNames={fieldParts}
    />
  );
}

export function CheckboxField(field: FieldProps) {
  const { register } = useFormContext();
  useFieldLabel(field.name, field.label);
  return (
    <Checkbox
      {...shared(field, useFieldError(field.name))}
      {...register(field.name)}
      classNames={{
        label: classes["tick"] ?? "",
        description: classes["hint"] ?? "",
        error: classes["message"] ?? "",
      }}
    />
  );
}
