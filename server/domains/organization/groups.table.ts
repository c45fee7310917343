import type { Queries } from "../../platform/store/database";
import { standardSort, TIMES, times, type Table } from "../../platform/store/table";

export const groupsTable: Table = {
  name: "groups",
  // Folders report the kind and the status of their organization.
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
    // The zero value of an enum means "not set".
    kind: row["kind"] === "ORG_KIND_UNSPECIFIED" ? undefined : row["kind"],
    status: row["status"],
    ...times(row),
  }),
};

/** Groups with what their organization is called in the registry. */
export const groupsInRegistryTable: Table = {
  ...groupsTable,
  joins: `${groupsTable.joins} left join namespaces ns on ns.organization = root.uid and ns.current`,
  columns: `${groupsTable.columns}, ns.name as namespace`,
  toItem: (row) => ({ ...groupsTable.toItem(row), namespace: row["namespace"] ?? undefined }),
};

/**
 * Records the creator of an organization; call it in the transaction that inserts it. Serialized per person, so that
 * organizations created in parallel are all counted.
 * @returns how many organizations the creator has made, including this one
 */
export async function recordCreator(queries: Queries, uid: string, creator: string): Promise<number> {
  await queries.query("select 1 from identities where uid = $1 for update", [creator]);
  await queries.query("insert into organization_creators (organization, identity_uid) values ($1, $2)", [
    uid,
    creator,
  ]);
  const [row] = await queries.query<{ made: number }>(
    "select count(*)::int as made from organization_creators where identity_uid = $1",
    [creator],
  );
  return row?.made ?? 0;
}
