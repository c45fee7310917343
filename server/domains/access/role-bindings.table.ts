import { parentOf } from "platform-contract/aip";
import type { roleBindings } from "platform-contract/iam/role-bindings";
import type { InputOf } from "platform-contract/resource";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { newChildUid } from "../../platform/store/uids";
import {
  joinOf,
  joinsOf,
  standardSort,
  time,
  TIMES,
  times,
  type RecordTable,
  type RowReference,
  type Texts,
  type Timed,
} from "../../platform/store/table";

const IDENTITY: RowReference = { table: "identities", as: "i", uid: "t.identity_uid" };

const REFERENCES: readonly RowReference[] = [
  IDENTITY,
  { table: "groups", as: "g", uid: "t.parent" },
  { table: "roles", as: "r", uid: "t.role_uid" },
];

type RoleBindingRow = Timed &
  Texts<"uid" | "identity_uid" | "role_uid" | "subject" | "issuer" | "email"> &
  Texts<`${"identity" | "group" | "role"}_${"name" | "description"}`> & { readonly expires_at: Date | null };

/** Responses are hydrated, so that clients do not need three more calls. */
export const roleBindingsTable: RecordTable<InputOf<typeof roleBindings>, RoleBindingRow> = {
  name: "role_bindings",
  joins: joinsOf(REFERENCES),
  references: REFERENCES,
  columns: `t.uid, t.identity_uid, t.role_uid, i.name as identity_name, i.description as identity_description,
    i.subject, i.issuer, i.email, g.name as group_name, g.description as group_description,
    r.name as role_name, r.description as role_description, t.expires_at, ${TIMES}`,
  // A binding has no name of its own: it sorts by that of the identity.
  sort: { ...standardSort, name: { sql: "lower(i.name)", type: "text", join: joinOf(IDENTITY) } },
  filters: {
    identity: (uid, bind) => `t.identity_uid = ${bind(uid)}`,
    group: (uid, bind) => `t.parent = ${bind(uid)}`,
    role: (uid, bind) => `t.role_uid = ${bind(uid)}`,
  },
  toItem: (row) => ({
    uid: row.uid,
    identityUid: row.identity_uid,
    roleUid: row.role_uid,
    identity: {
      uid: row.identity_uid,
      name: row.identity_name,
      description: row.identity_description,
      subject: row.subject,
      issuer: row.issuer,
      email: row.email,
    },
    group: { uid: parentOf(row.uid), name: row.group_name, description: row.group_description },
    role: { uid: row.role_uid, name: row.role_name, description: row.role_description },
    ...(row.expires_at !== null && { expirationTime: time(row.expires_at) }),
    ...times(row),
  }),
  toRow: ({ identityUid, roleUid, expirationTime }) => ({
    identity_uid: identityUid,
    role_uid: roleUid,
    expires_at: expirationTime ? new Date(expirationTime) : null,
  }),
};

/** True if an identity has a binding in an organization. */
export async function isBoundIn(queries: Queries, identity: string, organization: string): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from role_bindings where identity_uid = $1 and left(parent, 40) = $2 limit 1",
    [identity, organization],
  );
  return rows.length > 0;
}

/** True if a binding exists and is of one of these identities. */
export async function isBindingOf(
  queries: Queries,
  uid: string,
  identities: readonly string[],
): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from role_bindings where uid = $1 and identity_uid = any($2::text[])",
    [uid, identities],
  );
  return rows.length > 0;
}

/** Binds an identity, unless it has this role there already; returns the uid of the binding if it did. */
export async function bindOnce(
  queries: Queries,
  {
    group,
    identity,
    role,
    until = null,
  }: {
    readonly group: string;
    readonly identity: string;
    readonly role: string;
    /** When it ends; null if it does not. */
    readonly until?: Date | null;
  },
): Promise<string | undefined> {
  const [made] = await queries.query<{ uid: string }>(
    `insert into role_bindings (uid, parent, identity_uid, role_uid, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) on conflict (parent, identity_uid, role_uid) do nothing returning uid`,
    [newChildUid(group), group, identity, role, until, now()],
  );
  return made?.uid;
}

/** Removes the bindings at a group that have ended, so that the same role can be granted again. */
export const removeEnded = async (queries: Queries, group: string): Promise<void> => {
  await queries.query("delete from role_bindings where parent = $1 and expires_at <= $2", [group, now()]);
};

/** The organizations with bindings that have ended. */
export async function organizationsWithEnded(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ organization: string }>(
    "select left(uid, 40) as organization from role_bindings where expires_at <= $1 group by 1 order by 1",
    [now()],
  );
  return rows.map(({ organization }) => organization);
}

/** Removes ended bindings of an organization, at most `most`; returns how many it removed. */
export async function sweepEnded(queries: Queries, organization: string, most: number): Promise<number> {
  const removed = await queries.query(
    `delete from role_bindings where uid in (select uid from role_bindings
       where expires_at <= $1 and uid >= $2 || '/' and uid < $2 || '0' order by expires_at limit $3) returning 1`,
    [now(), organization, most],
  );
  return removed.length;
}
