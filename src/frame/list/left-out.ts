import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useHiddenUids } from "~/api/mutations/hidden";
import { rowsOf } from "~/api/queries/queries";
import type { Item, Screens } from "~/frame/define";

type LeftOut<T extends Item = Item> = ReturnType<Screens<T>["resolve"]>["leftOut"];

/** Uids of the rows that no list shows now, and of those that this one never does. */
export function useNotShown({ uids }: Pick<LeftOut, "uids">): ReadonlySet<string> {
  const hidden = useHiddenUids();
  return useMemo(() => (uids.size > 0 ? new Set([...hidden, ...uids]) : hidden), [hidden, uids]);
}

/**
 * Returns the total of a list without the rows that its screen leaves out and that no loaded page has: the service
 * counts them. Undefined until that is known.
 */
export function useShownTotal<T extends Item>(
  { uids, list }: LeftOut<T>,
  { rows, total }: { readonly rows: readonly T[]; readonly total: number | bigint | undefined },
): number | bigint | undefined {
  const some = uids.size > 0;
  const { data } = useInfiniteQuery({ ...list, enabled: some });
  if (!some || total === undefined) return total;
  if (!data) return undefined;
  const held = new Set(rows.map(({ uid }) => uid));
  const elsewhere = rowsOf(data).rows.filter(({ uid }) => !held.has(uid)).length;
  return typeof total === "bigint" ? total - BigInt(elsewhere) : total - elsewhere;
}
