import { useSyncExternalStore } from "react";

/** The sessionStorage key under which a page that is left stores the deletions that it has just sent. */
export const LEFT_KEY = "pc.deletions";

let hidden: ReadonlySet<string> | undefined;
const listeners = new Set<() => void>();

/** Uids from a page that was just left: a list that is read before its deletions arrive must not show them. */
function leftUids(): string[] {
  try {
    const left: { uids?: string[] } = JSON.parse(sessionStorage.getItem(LEFT_KEY) ?? "{}");
    return left.uids ?? [];
  } catch {
    return [];
  }
}

/** Uids of the records whose deletion is in progress: no list shows them, whatever it reads meanwhile. */
export const hiddenUids = (): ReadonlySet<string> => (hidden ??= new Set(leftUids()));

export function hideUids(uids: Iterable<string>): void {
  hidden = new Set(uids);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useHiddenUids = (): ReadonlySet<string> => useSyncExternalStore(subscribe, hiddenUids);

/** Returns the rows that are not hidden, and the total without the hidden ones. */
export function withoutHidden<T extends { readonly uid: string }>(
  rows: readonly T[],
  total: number | bigint | undefined,
  uids: ReadonlySet<string>,
): { readonly rows: readonly T[]; readonly total: number | bigint | undefined } {
  const shown = uids.size === 0 ? rows : rows.filter(({ uid }) => !uids.has(uid));
  if (shown.length === rows.length) return { rows, total };
  const left = rows.length - shown.length;
  if (total === undefined) return { rows: shown, total };
  return { rows: shown, total: typeof total === "bigint" ? total - BigInt(left) : total - left };
}
