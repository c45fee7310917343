import type { FieldValues, UseFormReturn } from "react-hook-form";

/** The form for fields whose names are only known when it runs: its own type wants a literal path of its values. */
export const untyped = <V extends FieldValues, C, O>(form: UseFormReturn<V, C, O>): UseFormReturn =>
  form as unknown as UseFormReturn;
