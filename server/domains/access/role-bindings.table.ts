import { parentOf } from "platform-contract/aip";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { standardSort, time, TIMES, times, type Table } from "../../platform/store/table";

const IDENTITY = "join identities i on i.uid = t.identity_uid";

/** Responses are hydrated, so that clients do not need three more calls. */
export const roleBindingsTable: Table = {
  name: "role_bindings",
  joins: `${IDENTITY} join groups g on g.uid = t.parent join roles r on r.uid = t.role_uid`,
  columns: `t.uid, t.identity_uid, t.role_uid, i.name as identity_name, i.description as identity_description,
    i.subject, i.issuer, i.email, g.name as group_name, g.description as group_description,
    r.name as role_name, r.description as role_description, t.expires_at, ${TIMES}`,
  // A binding has no name of its own: it sorts by that of the identity.
  sort: { ...standardSort, name: { sql: "lower(i.name)", type: "text", join: IDENTITY } },
  filters: {
    identity: (uid, bind) => `t.identity_uid = ${bind(uid)}`,
    group: (uid, bind) => `t.parent = ${bind(uid)}`,
    role: (uid, bind) => `t.role_uid = ${bind(uid)}`,
  },
  toItem: (row) => ({
    uid: row["uid"],
    identityUid: row["identity_uid"],
    roleUid: row["role_uid"],
    identity: {
      uid: row["identity_uid"],
      name: row["identity_name"],
      description: row["identity_description"],
      subject: row["subject"],
      issuer: row["issuer"],
      email: row["email"],
    },
    group: {
      uid: parentOf(String(row["uid"])),
      name: row["group_name"],
      description: row["group_description"],
    },
    role: { uid: row["role_uid"], name: row["role_name"], description: row["role_description"] },
    ...(row["expires_at"] !== null && { expirationTime: time(row["expires_at"]) }),
    ...times(row),
  }),
};

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
