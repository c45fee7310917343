import { standardSort, TIMES, times, type Table } from "./table";

export const groupsTable: Table = {
  name: "groups",
  // Folders report the kind and the status of their organization (contract 1.1).
  joins: "join groups root on root.uid = left(t.uid, 40)",
  columns: `t.uid, t.name, t.description, t.verified, root.kind, root.status, ${TIMES}`,
  sort: standardSort,
  childOrders: ["name"],
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  isGroups: true,
  toItem: (row) => ({
    uid: row["uid"],
    name: row["name"],
    description: row["description"],
    verified: row["verified"],
    // The zero value of an enum is one that is not set (contract 0.2).
    kind: row["kind"] === "ORG_KIND_UNSPECIFIED" ? undefined : row["kind"],
    status: row["status"],
    ...times(row),
  }),
};
