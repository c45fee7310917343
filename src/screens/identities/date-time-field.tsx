import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import type { ReactNode } from "react";
import { useFormContext } from "react-hook-form";

import fields from "~/ui/form/fields.module.css";
import { shared, useFieldError, type FieldProps } from "~/ui/form/use-field";

/** A moment, by the browser's own picker, in the person's own time. */
export function DateTimeField({ max, ...field }: FieldProps & { readonly max: string }): ReactNode {
  const { register } = useFormContext();
  return (
    <TextInput
      {...shared(field, useFieldError(field.name))}
      {...register(field.name)}
      type="datetime-local"
      max={max}
      classNames={{
        label: fields["label"] ?? "",
        description: fields["hint"] ?? "",
        error: fields["message"] ?? "",
      }}
    />
  );
}
