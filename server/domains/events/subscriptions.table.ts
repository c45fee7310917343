import { standardSort, TIMES, times, type Table } from "../../platform/store/table";

export const subscriptionsTable: Table = {
  name: "subscriptions",
  joins: "",
  columns: `t.uid, t.sink, ${TIMES}`,
  // A subscription has no name of its own: `name` is the sink.
  sort: { ...standardSort, name: { sql: "lower(t.sink)", type: "text" } },
  filters: {},
  toItem: (row) => ({ uid: row["uid"], sink: row["sink"], ...times(row) }),
};
