import type { Queries } from "./database";
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

/**
 * Records who made an organization that was just inserted. One of a person after the other, so that those made side by side
 * are all counted: to be called in the transaction that inserts it.
 * @returns how many organizations of theirs there are now, this one included
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
