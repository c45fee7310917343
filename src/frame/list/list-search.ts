import { formatOrder, parseOrder } from "platform-contract/aip";
import { isUidParam, readDrawer, type Address } from "~/frame/scope/address";

/** Search parameters that every list has, apart from its filters and the scope, which is the shell's. */
export interface ListSearch<D extends string = string> {
  /** As in `order_by`. */
  order?: string | undefined;
  /** Index of the first row in view, from 0. */
  at?: string | undefined;
  /** The columns that a link brings: ids, separated by dots. */
  columns?: string | undefined;
  drawer?: D | undefined;
  /** uid of the drawer's record, with `_` for `/`. */
  item?: string | undefined;
}

/** Reads the parameters that every list has; ignores invalid values, so that an old link still opens the list. */
export function readListSearch<const D extends string>(
  address: Address,
  sortable: readonly string[],
  drawers: readonly D[],
): ListSearch<D> {
  const { order, at, columns, item } = address;
  const parsed = typeof order === "string" ? parseOrder(order, sortable) : undefined;
  const opened = readDrawer(address, drawers);
  return {
    ...(parsed && { order: formatOrder(parsed) }),
    ...(typeof at === "string" && /^[1-9]\d{0,8}$/.test(at) && { at }),
    ...(typeof columns === "string" && /^[\w-]+(?:\.[\w-]+){0,30}$/.test(columns) && { columns }),
    ...opened,
    ...(opened.drawer !== undefined && isUidParam(item) && { item }),
  };
}
