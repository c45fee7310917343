import type { FieldValues, UseFormReturn } from "react-hook-form";

import { dirtyPaths } from "./dirty-paths";

interface Change {
  readonly value: unknown;
  /** What the form had been opened with. */
  readonly was?: unknown;
}
type Draft = Readonly<Record<string, Change>>;
type Drafts = Record<string, Draft>;

/** What lies in this tab's storage while its page is away. */
interface Parcel {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly drafts: Drafts;
}

interface Kept {
  readonly form: () => unknown;
  /** What a field of it was opened with; from there, since the app has nothing of react-hook-form. */
  readonly opened: (path: string) => unknown;
  readonly secret: readonly string[];
}

const KEY = "pc.drafts";
/** Milliseconds after which nobody expects their words back: longer than a lunch, shorter than a night. */
const KEPT = 4 * 3600_000;

let leaving = false;
/** Of forms that may be gone from the page by the time it is left. */
let noted: Drafts = {};
/** Those that came back with the page. They are in its memory alone: a duplicated tab must not have them too. */
let returned: Drafts = {};
const forms = new Map<string, Kept>();

/** The draft belongs to the address too: another record's form has the same name. */
const keyOf = (name: string): string => `${location.pathname}${location.search} ${name}`;

/** Registers a form whose changes `keepDrafts()` writes. Returns how to take it out. */
export function keepable(name: string, form: Kept): () => void {
  forms.set(name, form);
  return () => {
    forms.delete(name);
  };
}

/** What was changed in every open form, without what is secret. */
function changes(): Drafts {
  const found: Drafts = {};
  for (const [name, { form, opened, secret }] of forms) {
    const open = form() as UseFormReturn<FieldValues>;
    const changed = dirtyPaths(open).filter(
      (path) => !secret.some((at) => path === at || path.startsWith(`${at}.`)),
    );
    const change = (path: string): Change => ({
      value: open.getValues(path),
      was: opened(path),
    });
    if (changed.length > 0)
      found[keyOf(name)] = Object.fromEntries(changed.map((path) => [path, change(path)]));
  }
  return found;
}

/** Remembers what is typed now: something failed that may take the forms from the page before it is left. */
export function noteDrafts(): void {
  noted = changes();
}

/**
 * Writes what was changed in every open form to this tab's storage: the page is about to be left and to come back.
 * `owner` says whose words they are; nobody else gets them. Nobody is asked about unsaved changes from now on, unless
 * the page stays after all: the function that is returned takes everything back. `withNoted`: also what `noteDrafts()`
 * remembered last.
 */
export function keepDrafts(owner: string, { withNoted = false, now = Date.now() } = {}): () => void {
  const drafts = { ...(withNoted && noted), ...changes() };
  leaving = true;
  try {
    if (Object.keys(drafts).length > 0)
      sessionStorage.setItem(KEY, JSON.stringify({ owner, at: now, drafts } satisfies Parcel));
  } catch {
    // A full storage: then the person is asked, and decides.
    leaving = false;
  }
  return () => {
    leaving = false;
    sessionStorage.removeItem(KEY);
  };
}

/** Whether the page is being left on purpose with the drafts kept: nobody asks about unsaved changes then. */
export const draftsKept = (): boolean => leaving;

/** Takes what was kept for `owner` out of the storage, for the forms of this page; once, before the first of them. */
export function takeDrafts(owner: string, now = Date.now()): void {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  leaving = false;
  returned = {};
  try {
    const parcel = JSON.parse(text ?? "null") as Parcel | null;
    if (parcel?.owner === owner && now - parcel.at < KEPT) returned = { ...parcel.drafts };
  } catch {
    // Not ours.
  }
}

/** What was kept for this form at this address, by path; once. */
export function readDraft(name: string): Draft {
  const key = keyOf(name);
  const draft = Object(returned[key]) as Draft;
  delete returned[key];
  return draft;
}
