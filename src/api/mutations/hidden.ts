import { useSyncExternalStore } from "react";

import { leftUids } from "./left";

let hidden: ReadonlySet<string> | undefined;
const listeners = new Set<() => void>();

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
