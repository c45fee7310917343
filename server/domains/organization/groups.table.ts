import type { groups } from "platform-contract/iam/groups";
import type { InputOf } from "platform-contract/resource";

import type { Queries } from "../../platform/store/database";
import {
  joinOf,
  standardSort,
  TIMES,
  times,
  type RecordTable,
  type RowReference,
  type Texts,
  type Timed,
} from "../../platform/store/table";
import { lockPerson } from "../identities/identities.table";

type GroupRow = Timed &
  Texts<"uid" | "name" | "description" | "kind" | "status"> & { readonly verified: boolean };

// Folders report the kind and the status of their organization.
const ROOT: RowReference = { table: "groups", as: "root", uid: "left(t.uid, 40)" };

export const groupsTable: RecordTable<InputOf<typeof groups>, GroupRow> = {
  name: "groups",
  joins: joinOf(ROOT),
  references: [ROOT],
  columns: `t.uid, t.name, t.description, t.verified, root.kind, root.status, ${TIMES}`,
  sort: standardSort,
  childOrders: ["name"],
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  isGroups: true,
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    description: row.description,
    verified: row.verified,
    // The zero value of an enum means "not set".
    kind: row.kind === "ORG_KIND_UNSPECIFIED" ? undefined : row.kind,
    status: row.status,
    ...times(row),
  }),
  toRow: ({ name, description = "" }) => ({ name, description }),
};

/** The name of a group; undefined if there is none. */
export const nameOf = async (queries: Queries, group: string): Promise<string | undefined> =>
  (await queries.query<{ name: string }>("select name from groups where uid = $1", [group]))[0]?.name;

/** The innermost of these groups that exists. */
export async function innermost(queries: Queries, groups: readonly string[]): Promise<string | undefined> {
  const [found] = await queries.query<{ uid: string }>(
    "select uid from groups where uid = any($1::text[]) order by length(uid) desc limit 1",
    [groups],
  );
  return found?.uid;
}

/** Groups with what their organization is called in the registry. */
export const groupsInRegistryTable: RecordTable<
  InputOf<typeof groups>,
  GroupRow & { readonly namespace: string | null }
> = {
  ...groupsTable,
  joins: `${groupsTable.joins} left join namespaces ns on ns.organization = root.uid and ns.current`,
  columns: `${groupsTable.columns}, ns.name as namespace`,
  toItem: (row) => ({ ...groupsTable.toItem(row), namespace: row.namespace ?? undefined }),
};

/**
 * Records the creator of an organization; call it in the transaction that inserts it. Serialized per person, so that
 * organizations created in parallel are all counted.
 * @returns how many organizations the creator has made, including this one
 */
export async function recordCreator(queries: Queries, uid: string, creator: string): Promise<number> {
  await lockPerson(queries, creator);
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
