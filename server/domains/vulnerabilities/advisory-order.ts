import { parseOrder, type Order } from "platform-contract/aip";
import { ADVISORY_ORDERS } from "platform-contract/advisory/orders";

/** The order that a list of documents or metadata was asked for in; by id unless it says otherwise. */
export function advisoryOrder({ order_by: text = "" }: Readonly<Record<string, unknown>>): Order {
  const { field = "id", descending = false } = parseOrder(String(text), ADVISORY_ORDERS) ?? {};
  return { field: field === "uid" ? "id" : field, descending };
}
