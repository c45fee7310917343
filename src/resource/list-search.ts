import { formatOrder, isUid, parseOrder } from "~/contract/aip";

import { paramToUid } from "~/features/scope/uid-param";

/** The raw search parameters of an address: the user can type anything there. */
export type Address = Readonly<Record<string, unknown>>;

/** Search parameters that every list has, apart from its filters and the scope, which is the shell's. */
export interface ListSearch<D extends string = string> {
  /** As in `order_by`. */
  order?: string | undefined;
  /** Index of the first row in view, from 0. */
  at?: string | undefined;
  drawer?: D | undefined;
  /** uid of the drawer's record, with `_` for `/`. */
  item?: string | undefined;
}

/** Returns the open drawer, if it is one of these. */
export function readDrawer<const D extends string>(
  { drawer }: Address,
  drawers: readonly D[],
): { drawer?: D } {
  const known = drawers.find((candidate) => candidate === drawer);
  return known === undefined ? {} : { drawer: known };
}

/** Reads the parameters that every list has; ignores invalid values, so that an old link still opens the list. */
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

/** Returns those of the named parameters that are text and not blank. */
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
