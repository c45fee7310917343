/** Which groups are open, kept per browser tab across screens and reloads. Stores nothing but uids. */
export interface Expansion {
  /** True if this tab has never opened or closed a group. */
  readonly untouched: () => boolean;
  readonly get: () => ReadonlySet<string>;
  readonly subscribe: (listener: () => void) => () => void;
  /** Opens or closes groups. */
  readonly change: (uids: readonly string[], open: boolean) => void;
}

/** Keep only the latest: pressing `*` on many levels must not fill the storage. */
const KEPT = 500;

function read(storage: Storage, key: string): string[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? "[]");
    return Array.isArray(value) ? value.filter((uid) => typeof uid === "string") : [];
  } catch {
    return [];
  }
}

/** `owner` (issuer and subject) separates users who share a tab. */
export function openExpansion(owner: string, storage: Storage): Expansion {
  const key = `platform-console:tree:${owner}`;
  const listeners = new Set<() => void>();
  let open: ReadonlySet<string> = new Set(read(storage, key));
  let untouched = storage.getItem(key) === null;
  return {
    untouched: () => untouched,
    get: () => open,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(uids, opened) {
      if (uids.every((uid) => open.has(uid) === opened)) return;
      const next = new Set(open);
      for (const uid of uids) {
        // Delete even if already open, to move it to the end: the latest go last.
        next.delete(uid);
        if (opened) next.add(uid);
      }
      open = next;
      untouched = false;
      try {
        storage.setItem(key, JSON.stringify([...next].slice(-KEPT)));
      } catch {
        // With full or blocked storage, the tree still works but is not remembered.
      }
      for (const listener of listeners) listener();
    },
  };
}
