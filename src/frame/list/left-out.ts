import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useHiddenUids } from "~/api/mutations/hidden";
import { rowsOf } from "~/api/queries/queries";
import type { Scope } from "~/frame/scope/scope";

import type { Item, ListView, Screens } from "~/frame/define";

/** Uids of the rows that no list shows now, and of those that this one never does. */
export function useNotShown(leftOut: (() => ReadonlySet<string>) | undefined): ReadonlySet<string> {
  const hidden = useHiddenUids();
  return useMemo(() => (leftOut ? new Set([...hidden, ...leftOut()]) : hidden), [hidden, leftOut]);
}

/**
 * Returns the total of a list without the rows that its screen leaves out and that no loaded page has: the service
 * counts them. Undefined until that is known.
 */
export function useShownTotal<T extends Item, I>(
  screens: Screens<T, I>,
  scope: Scope,
  view: ListView,
  { rows, total }: { readonly rows: readonly T[]; readonly total: number | bigint | undefined },
): number | bigint | undefined {
  const asked = screens.leftOutRows(scope, view);
  const { data } = useInfiniteQuery({ ...asked.list, enabled: asked.some });
  if (!asked.some || total === undefined) return total;
  if (!data) return undefined;
  const held = new Set(rows.map(({ uid }) => uid));
  const elsewhere = rowsOf(data).rows.filter(({ uid }) => !held.has(uid)).length;
  return typeof total === "bigint" ? total - BigInt(elsewhere) : total - elsewhere;
}
