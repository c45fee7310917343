import { useEffect, useRef, useState } from "react";
import {
  get,
  useForm,
  type DefaultValues,
  type Field,
  type FieldErrors,
  type FieldValues,
  type UseFormReturn,
} from "react-hook-form";
import * as z from "zod/mini";

import { sameValue } from "./dirty-paths";
import { keepable, readDraft } from "./drafts";
import { FORM_ERROR, placeProblems, type Problem } from "./problems";

export interface ResourceForm<V extends FieldValues, O = V> extends UseFormReturn<V, unknown, O> {
  readonly kit: {
    readonly aliases: Readonly<Record<string, string>>;
    /** Fields whose values are never shown or written down. */
    readonly secret: readonly string[];
  };
}

interface KitFormOptions<V extends FieldValues, S extends z.core.$ZodType> {
  /** Judges what is sent: the form's values, or what `toBody` makes of them. */
  readonly schema: S;
  readonly defaultValues: V;
  /** Makes the request body of the form's values, where their shapes differ (blank fields left out, a kind chosen). */
  readonly toBody?: (values: V) => unknown;
  /** Paths in the body or in a server's violation, to names in this form, where they differ. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** A name for the draft that outlives signing in again (drafts.ts); left out: no draft. */
  readonly draft?: string;
  /** Fields never written to a draft, and whose values no review shows. */
  readonly secret?: readonly string[];
}

const NO_ALIASES = {};
/** Under a field that was typed into, left, and changed by somebody else before it came back. */
const CHANGED = "Someone else changed this. Saving will overwrite their change.";

/** The names of the fields that are on the screen now, so that an error there can be seen. */
export function shownNames<V extends FieldValues, O>(form: UseFormReturn<V, unknown, O>): string[] {
  const { _names, _fields } = form.control;
  return [..._names.mount].filter((name) => (get(_fields, name) as Field | undefined)?._f.mount === true);
}

/**
 * react-hook-form with a zod schema: validates when a field is left, then while it is changed. What the schema finds is
 * placed like what a server finds: under its field, or in the form's alert when no field shows it. (Left to itself,
 * react-hook-form refuses to submit because of an error that nobody can see.)
 * `handleSubmit` gives what the schema read: the body.
 */
export function useResourceForm<V extends FieldValues, S extends z.core.$ZodType>(
  options: KitFormOptions<V, S>,
): ResourceForm<V, z.infer<S>> {
  const [kit] = useState(() => ({
    aliases: options.aliases ?? NO_ALIASES,
    secret: options.secret ?? [],
  }));
  const current = useRef<UseFormReturn<V, unknown, z.infer<S>>>(undefined);
  const latest = useRef(options);
  latest.current = options;

  const form = useForm<V, unknown, z.infer<S>>({
    mode: "onTouched",
    defaultValues: options.defaultValues as DefaultValues<V>,
    shouldFocusError: false,
    resolver: async (values) => {
      const { schema, toBody } = latest.current;
      const result = await z.safeParseAsync(schema, toBody ? toBody(values) : values);
      const problems: Problem[] = result.success
        ? []
        : result.error.issues.map(({ path, message }) => ({ field: path.join("."), description: message }));
      const names = current.current ? shownNames(current.current) : [];
      const { placed, unmatched } = placeProblems(problems, names, kit.aliases);
      if (unmatched.length > 0) placed.set(FORM_ERROR, unmatched.map((each) => each.description).join(" "));
      return placed.size === 0 && result.success
        ? { values: result.data as z.infer<S> & FieldValues, errors: {} }
        : { values: {}, errors: nested<V>(placed) };
    },
  });
  current.current = form;

  const { draft } = options;
  useEffect(() => {
    if (draft === undefined) return;
    const opened = (path: string): unknown => get(current.current?.control._defaultValues, path);
    for (const [name, { value, was }] of Object.entries(readDraft(draft))) {
      current.current?.setValue(name as never, value as never, { shouldDirty: true });
      if (!sameValue(was, opened(name)))
        current.current?.setError(name as never, { type: "changed", message: CHANGED });
    }
    return keepable(draft, { form: () => current.current, opened, secret: latest.current.secret ?? [] });
  }, [draft]);

  return Object.assign(form, { kit });
}

/** Errors by name, in the shape that react-hook-form keeps them. */
function nested<V extends FieldValues>(placed: ReadonlyMap<string, string>): FieldErrors<V> {
  const errors: Record<string, unknown> = {};
  for (const [name, message] of placed) {
    const parts = name.split(".");
    const last = parts.pop() ?? name;
    let at = errors;
    for (const part of parts) at = (at[part] ??= {}) as Record<string, unknown>;
    at[last] = { ...(at[last] as object | undefined), type: "invalid", message };
  }
  return errors as FieldErrors<V>;
}
