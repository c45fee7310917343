/** Identifies the signed-in user: browsers are shared. */
let owner = "";
/** Values as of page load: a change in another tab applies from the next load, not in the middle of work. */
const known = new Map<string, string | null>();
const listeners = new Set<() => void>();

/** Sets the signed-in user; call once, before the first read or write. */
export function setPreferenceOwner(person: string): void {
  owner = person;
  known.clear();
}

const keyOf = (name: string): string => `pc.${name} ${owner}`;

/** Returns the user's preference in this browser; null if not set. */
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

/** Makes the next read go to the storage: another tab could have written there. */
export const forgetPreference = (name: string): void => void known.delete(keyOf(name));

/** Stores the user's preference in this browser; null removes it. */
export function writePreference(name: string, value: string | null): void {
  const key = keyOf(name);
  known.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage can be forbidden or full: then the value lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function subscribePreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
