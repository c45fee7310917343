/** Which groups are open, kept for the browser tab: across screens and reloads, and never more than their uids. */
export interface Expansion {
  /** Whether this tab has never opened or closed anything. */
  readonly untouched: () => boolean;
  readonly get: () => ReadonlySet<string>;
  readonly subscribe: (listener: () => void) => () => void;
  /** Opens or closes groups. */
  readonly change: (uids: readonly string[], open: boolean) => void;
}

/** The latest ones are kept: `*` pressed on many levels must not fill the storage. */
const KEPT = 500;

function read(storage: Storage, key: string): string[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? "[]");
    return Array.isArray(value) ? value.filter((uid) => typeof uid === "string") : [];
  } catch {
    return [];
  }
}

/** `owner` tells people who share a tab apart: issuer and subject. */
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
        // Also when it is open already: the latest last.
        next.delete(uid);
        if (opened) next.add(uid);
      }
      open = next;
      untouched = false;
      try {
        storage.setItem(key, JSON.stringify([...next].slice(-KEPT)));
      } catch {
        // A full or forbidden storage loses the memory, not the tree.
      }
      for (const listener of listeners) listener();
    },
  };
}
