import { useEffect, useInsertionEffect, useRef, useState } from "react";
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

import { sameValue } from "platform-contract/values";
import { oncePerField } from "platform-contract/violations";
import type { FieldViolation } from "platform-contract/status";
import { dirtyPaths } from "./dirty-paths";
import { forgetDraft, keepable, readDraft } from "./drafts";
import { asText, FORM_ERROR, placeProblems } from "./problems";
import { untyped } from "./untyped";
import { useLatest } from "../use-latest";

export interface ResourceForm<V extends FieldValues, O = V> extends UseFormReturn<V, unknown, O> {
  readonly settings: {
    /** Returns the form's name for a path in the body or in a server's violation. */
    readonly fieldOf: (path: string, values: V) => string;
    /** Fields whose values are never shown or stored. */
    readonly secret: readonly string[];
  };
  /** The draft that filled the form; undefined if none did, or the user went on without it. */
  readonly restored: RestoredDraft | undefined;
}

export interface RestoredDraft {
  /** Puts the form back as it was opened. */
  readonly discard: () => void;
}

interface ResourceFormOptions<V extends FieldValues, S extends z.core.$ZodType> {
  /** Validates the body: the form's values, or the result of `toBody`. */
  readonly schema: S;
  readonly defaultValues: V;
  /** Builds the request body from the form's values, if their shapes differ (blank fields omitted, a kind chosen). */
  readonly toBody?: (values: V) => unknown;
  /** Returns the form's name for a path in the body or in a server's violation, if they differ; one function for ever. */
  readonly fieldOf?: ((path: string, values: V) => string) | undefined;
  /** Name of the draft that survives a reload and signing in again (drafts.ts); absent for no draft. */
  readonly draft?: string;
  /** Fields never written to a draft, and whose values no review shows. */
  readonly secret?: readonly string[];
  /** Further fields never written to a draft: a secret can be pasted into them by mistake. */
  readonly unkept?: readonly string[];
}

/** Shown under a field restored from a draft that another user has changed meanwhile. */
const CHANGED = "Someone else changed this. Saving will overwrite their change.";

/** Names of the fields on screen, which can show an error. */
export function shownNames<V extends FieldValues, O>(form: UseFormReturn<V, unknown, O>): string[] {
  const { _names, _fields } = form.control;
  return [..._names.mount].filter((name) => {
    const field: Field | undefined = get(_fields, name);
    return field?._f.mount === true;
  });
}

/**
 * react-hook-form with a zod schema: validates on blur, then on change. Shows schema errors like server errors: under
 * their field, or in the form's alert if no field shows them. (By default, react-hook-form refuses to submit because
 * of an error that the user cannot see.) `handleSubmit` passes the parsed body.
 */
export function useResourceForm<V extends FieldValues, S extends z.core.$ZodType>(
  options: ResourceFormOptions<V, S>,
): ResourceForm<V, z.infer<S>> {
  const [settings] = useState(() => ({
    fieldOf: options.fieldOf ?? ((path: string) => path),
    secret: options.secret ?? [],
  }));
  const current = useRef<UseFormReturn<V, unknown, z.infer<S>>>(undefined);
  const latest = useLatest(options);

  const form = useForm<V, unknown, z.infer<S>>({
    mode: "onTouched",
    defaultValues: options.defaultValues as DefaultValues<V>,
    shouldFocusError: false,
    resolver: async (values) => {
      const { schema, toBody } = latest.current;
      const result = await z.safeParseAsync(schema, toBody ? toBody(values) : values);
      const problems: FieldViolation[] = result.success
        ? []
        : oncePerField(
            result.error.issues.map(({ path, message }) => ({
              field: settings.fieldOf(path.join("."), values),
              description: message,
            })),
          );
      const names = current.current ? shownNames(current.current) : [];
      const { placed, unmatched } = placeProblems(problems, names);
      if (unmatched.length > 0) placed.set(FORM_ERROR, unmatched.map(asText).join(" "));
      return placed.size === 0 && result.success
        ? { values: result.data, errors: {} }
        : { values: {}, errors: nested<V>(placed) };
    },
  });
  useInsertionEffect(() => {
    current.current = form;
  });
  useState(() => validateOnlyTyped(untyped(form)));

  const { draft } = options;
  const [kept] = useState(() => Object.entries(draft === undefined ? {} : readDraft(draft)));
  const [restored, setRestored] = useState(kept.length > 0);
  useEffect(() => {
    if (draft === undefined) return;
    const opened = (path: string): unknown => get(current.current?.control._defaultValues, path);
    forgetDraft(draft);
    const open = current.current && untyped(current.current);
    for (const [name, { value, was }] of kept) {
      open?.setValue(name, value, { shouldDirty: true });
      if (!sameValue(was, opened(name))) open?.setError(name, { type: "changed", message: CHANGED });
    }
    const { secret = [], unkept = [] } = latest.current;
    return keepable(draft, {
      changed: () => (current.current ? dirtyPaths(current.current) : []),
      valueOf: (path) => get(current.current?.getValues(), path),
      opened,
      secret: [...secret, ...unkept],
    });
  }, [draft, kept, latest]);
  const discard = () => {
    form.reset();
    setRestored(false);
  };

  return Object.assign(form, { settings, restored: restored ? { discard } : undefined });
}

/** Leaving a field that was not changed is no answer to it: validates on blur only what the user has typed or chosen. */
function validateOnlyTyped(form: UseFormReturn): void {
  const { control } = form;
  const { register } = control;
  const typed = new Set<string>();
  const gated: typeof register = (name, rules) => {
    const { onChange, onBlur, ...parts } = register(name, rules);
    return {
      ...parts,
      onChange: (event) => {
        typed.add(name);
        return onChange(event);
      },
      onBlur: async (event) => {
        if (typed.has(name)) await onBlur(event);
      },
    };
  };
  Object.assign(form, { register: gated });
  Object.assign(control, { register: gated });
}

/** Errors by name, in react-hook-form's nested shape. */
function nested<V extends FieldValues>(placed: ReadonlyMap<string, string>): FieldErrors<V> {
  const errors: Record<string, unknown> = {};
  for (const [name, message] of placed) {
    const parts = name.split(".");
    const last = parts.pop() ?? name;
    let at = errors;
    for (const part of parts) at = Object((at[part] ??= {}));
    at[last] = { ...Object(at[last]), type: "invalid", message };
  }
  return errors as FieldErrors<V>;
}
