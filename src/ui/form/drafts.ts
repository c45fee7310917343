import { Store } from "~/store";

interface Change {
  readonly value: unknown;
  /** The value that the form was opened with. */
  readonly was?: unknown;
}
type Draft = Readonly<Record<string, Change>>;
type Drafts = Record<string, Draft>;

/** The content of this tab's storage while the page is away. */
interface Parcel {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly drafts: Drafts;
}

interface Kept {
  /** Paths of the fields that the user has changed. */
  readonly changed: () => readonly string[];
  readonly valueOf: (path: string) => unknown;
  /** The value a field was opened with; a callback, since the app bundle must not include react-hook-form. */
  readonly opened: (path: string) => unknown;
  readonly secret: readonly string[];
}

const KEY = "pc.drafts";
/** Lifetime of drafts in ms: longer than a lunch break, shorter than a night. */
const DRAFT_LIFETIME_MS = 4 * 3600_000;

/** True if the page is being left on purpose and drafts are kept. */
const leaving = new Store(() => false);
/** Whose drafts this page keeps when it is reloaded; undefined until someone is known, and after they signed out. */
const keeper = new Store<string | undefined>(() => undefined);
/** Drafts of forms that can be unmounted by the time the page is left. */
const noted = new Store<Drafts>(() => ({}));
/** Drafts restored with the page. Only in memory: a duplicated tab must not get them too. */
const returned = new Store<Drafts>(() => ({}));
const forms = new Map<string, Kept>();

/** The address is part of the key: another record's form has the same name. */
const keyOf = (name: string): string => `${location.pathname}${location.search} ${name}`;

/** Registers a form whose changes `keepDrafts()` writes. Returns a function that unregisters it. */
export function keepable(name: string, form: Kept): () => void {
  forms.set(name, form);
  return () => {
    forms.delete(name);
  };
}

/** The changes in every open form, without secrets. */
function changes(): Drafts {
  const found: Drafts = {};
  for (const [name, { changed: paths, valueOf, opened, secret }] of forms) {
    const changed = paths().filter((path) => !secret.some((at) => path === at || path.startsWith(`${at}.`)));
    const change = (path: string): Change => ({
      value: valueOf(path),
      was: opened(path),
    });
    if (changed.length > 0)
      found[keyOf(name)] = Object.fromEntries(changed.map((path) => [path, change(path)]));
  }
  return found;
}

/** Remembers the present changes: an error can unmount the forms before the page is left. */
export function noteDrafts(): void {
  noted.set(changes());
}

/**
 * Writes the changes in every open form to this tab's storage, before the page is left and comes back. Only `owner`
 * gets them back. From now on, the user is not asked about unsaved changes; if the page stays after all, the returned
 * function undoes everything. `withNoted`: includes what `noteDrafts()` last remembered.
 */
export function keepDrafts(owner: string, { withNoted = false, now = Date.now() } = {}): () => void {
  const drafts = { ...(withNoted && noted.get()), ...changes() };
  leaving.set(true);
  try {
    if (Object.keys(drafts).length > 0)
      sessionStorage.setItem(KEY, JSON.stringify({ owner, at: now, drafts } satisfies Parcel));
  } catch {
    // The storage is full: the leave guard warns about unsaved changes instead.
    leaving.set(false);
  }
  return () => {
    leaving.set(false);
    sessionStorage.removeItem(KEY);
  };
}

/** The page unloads, by a reload or for good: its next visit in this tab gets the drafts back. */
function keepAtReload(): void {
  const owner = keeper.get();
  if (!leaving.get() && owner !== undefined) keepDrafts(owner);
}

/** Back from the browser's cache, with its forms as they were. */
function comeBack({ persisted }: PageTransitionEvent): void {
  if (!persisted) return;
  leaving.set(false);
  sessionStorage.removeItem(KEY);
}

/** Signing out leaves nothing of what was typed in this tab. */
export function dropDrafts(): void {
  keeper.set(undefined);
  window.removeEventListener("pagehide", keepAtReload);
  window.removeEventListener("pageshow", comeBack);
  sessionStorage.removeItem(KEY);
}

/** True if the page is being left on purpose and drafts are kept: do not ask about unsaved changes. */
export const draftsKept = leaving.get;

/** Moves the drafts of `owner` from the storage to this page; call once, before the first form mounts. */
export function takeDrafts(owner: string, now = Date.now()): void {
  window.addEventListener("pagehide", keepAtReload);
  window.addEventListener("pageshow", comeBack);
  keeper.set(owner);
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  leaving.set(false);
  returned.reset();
  try {
    const parcel: Parcel | null = JSON.parse(text ?? "null");
    if (parcel?.owner === owner && now - parcel.at < DRAFT_LIFETIME_MS) returned.set({ ...parcel.drafts });
  } catch {
    // Not written by this console.
  }
}

/** Returns the draft of this form at this address, by path. */
export const readDraft = (name: string): Draft => returned.get()[keyOf(name)] ?? {};

/** Forgets it: the form that it filled has it now. */
export function forgetDraft(name: string): void {
  delete returned.get()[keyOf(name)];
}
