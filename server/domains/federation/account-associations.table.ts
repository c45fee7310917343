import { standardSort, TIMES, times, type Table } from "../../platform/store/table";

export const accountAssociationsTable: Table = {
  name: "account_associations",
  joins: "",
  columns: `t.uid, t.name, t.description, t.accounts, ${TIMES}`,
  weight: "pg_column_size(t.accounts)",
  sort: standardSort,
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  keyedByParent: true,
  toItem: (row) => ({
    uid: row["uid"],
    name: row["name"],
    description: row["description"],
    ...(row["accounts"] as object),
    ...times(row),
  }),
};
