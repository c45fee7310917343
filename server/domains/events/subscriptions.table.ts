import type { SubscriptionInput } from "platform-contract/events/subscriptions";
import { storedWebAddress } from "platform-contract/web-address";

import type { Queries } from "../../platform/store/database";
import {
  standardSort,
  TIMES,
  times,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";

export const subscriptionsTable: RecordTable<SubscriptionInput, Timed & Texts<"uid" | "sink">> = {
  name: "subscriptions",
  joins: "",
  columns: `t.uid, t.sink, ${TIMES}`,
  // A subscription has no name of its own: `name` is the sink.
  sort: { ...standardSort, name: { sql: "lower(t.sink)", type: "text" } },
  filters: {},
  toItem: (row) => ({ uid: row.uid, sink: row.sink, ...times(row) }),
  toRow: ({ sink }) => ({ sink: storedWebAddress(sink) }),
};

/** How many subscriptions are directly in a group. */
export async function countSubscriptions(queries: Queries, group: string): Promise<number> {
  return (await queries.query("select 1 from subscriptions where parent = $1", [group])).length;
}
