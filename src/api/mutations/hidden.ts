import { useSyncExternalStore } from "react";

import { Store } from "~/store";

/** The sessionStorage key under which a page that is left stores the deletions that it has just sent. */
export const LEFT_KEY = "pc.deletions";

/** Uids from a page that was just left: a list that is read before its deletions arrive must not show them. */
function leftUids(): string[] {
  try {
    const left: { uids?: string[] } = JSON.parse(sessionStorage.getItem(LEFT_KEY) ?? "{}");
    return left.uids ?? [];
  } catch {
    return [];
  }
}

const hidden = new Store<ReadonlySet<string>>(() => new Set(leftUids()));

/** Uids of the records whose deletion is in progress: no list shows them, whatever it reads meanwhile. */
export const hiddenUids = hidden.get;

export const hideUids = (uids: Iterable<string>): void => hidden.set(new Set(uids));

export const useHiddenUids = (): ReadonlySet<string> => useSyncExternalStore(hidden.subscribe, hiddenUids);

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
