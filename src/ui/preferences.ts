/** One text for the person who is signed in: browsers are shared. */
let owner = "";
/** As of the page's beginning: what another tab chooses counts from its next load, rather than in the middle of work. */
const known = new Map<string, string | null>();
const listeners = new Set<() => void>();

/** Says who is signed in; once, before anything is kept or read. */
export function setPreferenceOwner(person: string): void {
  owner = person;
  known.clear();
}

const keyOf = (name: string): string => `pc.${name} ${owner}`;

/** What this person chose in this browser; null when they chose nothing. */
export function readPreference(name: string): string | null {
  const key = keyOf(name);
  let value = known.get(key);
  if (value === undefined) {
    try {
      value = localStorage.getItem(key);
    } catch {
      value = null;
    }
    known.set(key, value);
  }
  return value;
}

/** Reads it anew the next time: another tab may have written it. */
export const forgetPreference = (name: string): void => void known.delete(keyOf(name));

/** Stores a person's preference in this browser; null removes it. */
export function writePreference(name: string, value: string | null): void {
  const key = keyOf(name);
  known.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden or full: then it lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function subscribePreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
