import { formatOrder, isUid, parseOrder } from "~/contract/aip";

import { paramToUid } from "~/features/scope/uid-param";

/** The search parameters of an address, as text; what a person wrote there may be anything. */
export type Address = Readonly<Record<string, unknown>>;

/** What the address says of any list, beside its filters and the scope, which is the shell's. */
export interface ListSearch<D extends string = string> {
  /** As in `order_by`. */
  order?: string | undefined;
  /** Number of the first row in view, from 0. */
  at?: string | undefined;
  drawer?: D | undefined;
  /** The record that the drawer is about, `_` for `/`. */
  item?: string | undefined;
}

/** Which of these drawers is open, if any. */
export function readDrawer<const D extends string>(
  { drawer }: Address,
  drawers: readonly D[],
): { drawer?: D } {
  const known = drawers.find((candidate) => candidate === drawer);
  return known === undefined ? {} : { drawer: known };
}

/** Reads what any list has; what cannot be meant is left out, so that an old link still opens the list. */
export function readListSearch<const D extends string>(
  address: Address,
  sortable: readonly string[],
  drawers: readonly D[],
): ListSearch<D> {
  const { order, at, item } = address;
  const parsed = typeof order === "string" ? parseOrder(order, sortable) : undefined;
  const opened = readDrawer(address, drawers);
  return {
    ...(parsed && { order: formatOrder(parsed) }),
    ...(typeof at === "string" && /^[1-9]\d{0,8}$/.test(at) && { at }),
    ...opened,
    ...(opened.drawer !== undefined && isUidParam(item) && { item }),
  };
}

/** Those of these parameters that hold text. */
export const readTexts = <const N extends string>(
  address: Address,
  names: readonly N[],
): { [name in N]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = address[name];
      return typeof text === "string" && text.trim() !== "" ? [[name, text]] : [];
    }),
  ) as { [name in N]?: string };

export const isUidParam = (value: unknown): value is string =>
  typeof value === "string" && isUid(paramToUid(value));
