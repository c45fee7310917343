import type { FieldValues, UseFormReturn } from "react-hook-form";

import { dirtyPaths } from "./dirty-paths";

type AnyForm = Pick<UseFormReturn<FieldValues>, "control" | "getValues">;
let leaving = false;
const forms = new Map<string, { form: () => AnyForm; secret: readonly string[] }>();

/** The draft belongs to the address too: another record's form has the same name. */
const keyOf = (name: string): string => `pc.draft ${location.pathname}${location.search} ${name}`;

/** Registers a form whose changes `keepDrafts()` writes. Returns how to take it out. */
export function keepable(name: string, form: () => unknown, secret: readonly string[]): () => void {
  forms.set(name, { form: form as () => AnyForm, secret });
  return () => {
    forms.delete(name);
  };
}

/**
 * Writes what was changed in every open form to this tab's storage: before a redirect to sign in again. Secret fields are left out.
 */
export function keepDrafts(): void {
  leaving = true;
  for (const [name, { form, secret }] of forms) {
    const open = form() as UseFormReturn<FieldValues>;
    const changed = dirtyPaths(open).filter(
      (path) => !secret.some((at) => path === at || path.startsWith(`${at}.`)),
    );
    if (changed.length === 0) continue;
    const values = changed.map((path) => [path, open.getValues(path)]);
    sessionStorage.setItem(keyOf(name), JSON.stringify(Object.fromEntries(values)));
  }
}

/** Whether the page is being left on purpose with the drafts kept: nobody asks about unsaved changes then. */
export const draftsKept = (): boolean => leaving;

/** What was kept for this form at this address, by path; once. */
export function readDraft(name: string): Record<string, unknown> {
  const text = sessionStorage.getItem(keyOf(name));
  if (text === null) return {};
  sessionStorage.removeItem(keyOf(name));
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
