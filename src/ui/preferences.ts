import { Store } from "~/store";

/** Identifies the signed-in user: browsers are shared. */
const owner = new Store(() => "");
/** Values as of page load: a change in another tab applies from the next load, not in the middle of work. */
const known = new Store(() => new Map<string, string | null>());

/** Sets the signed-in user; call once, before the first read or write. */
export function setPreferenceOwner(person: string): void {
  owner.set(person);
  known.get().clear();
}

const keyOf = (name: string): string => `pc.${name} ${owner.get()}`;

/** Returns the user's preference in this browser; null if not set. */
export function readPreference(name: string): string | null {
  const key = keyOf(name);
  let value = known.get().get(key);
  if (value === undefined) {
    try {
      value = localStorage.getItem(key);
    } catch {
      value = null;
    }
    known.get().set(key, value);
  }
  return value;
}

/** Makes the next read go to the storage: another tab could have written there. */
export const forgetPreference = (name: string): void => void known.get().delete(keyOf(name));

/** Stores the user's preference in this browser; null removes it. */
export function writePreference(name: string, value: string | null): void {
  const key = keyOf(name);
  known.get().set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage can be forbidden or full: then the value lasts as long as the page.
  }
  known.set(known.get());
}

export const subscribePreferences = known.subscribe;
