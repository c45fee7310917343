import { readOrder, type Column } from "./types";

const CAPITAL = /^\p{Lu}/u;
const SMALL = /^\p{Ll}/u;

interface Ordered<T> {
  readonly order: string | undefined;
  readonly columns: readonly Pick<Column<T>, "sortField">[];
  readonly rows: readonly T[];
  readonly nameOf: (row: T) => string;
}

/**
 * Says where names with a capital letter are, if the list is ordered by name and has names of both kinds: the API orders
 * by code points, so that "Zebra" comes before "apple".
 */
export function capitalsNote<T>({ order, columns: [first], rows, nameOf }: Ordered<T>): string | undefined {
  const now = readOrder(order);
  if (!now || now.field !== "name" || first?.sortField !== now.field) return undefined;
  let [capital, small] = [false, false];
  for (const row of rows) {
    const name = nameOf(row);
    capital ||= CAPITAL.test(name);
    small ||= SMALL.test(name);
    if (capital && small) return now.descending ? "capitals last" : "capitals first";
  }
  return undefined;
}
