import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { standardSort, time, type Table, type Texts } from "../../platform/store/table";
import { isMemberOf } from "../access/memberships.table";
import { confirmedAddress } from "../access/people.table";

type MachineOwnerRow = Texts<"uid" | "name" | "parent" | "owner_uid" | "owner_name"> & {
  readonly owner_email: string | null;
  readonly updated_at: Date;
};

export const machineOwnersTable: Table<MachineOwnerRow> = {
  name: "machine_owners",
  joins: "join identities m on m.uid = t.uid join identities p on p.uid = t.owner_uid",
  columns: `t.uid, m.name, t.parent, t.owner_uid, p.name as owner_name, ${confirmedAddress("p")} as owner_email,
    t.updated_at`,
  // Who left the organization owns nothing there.
  always: (_query, bind) => [isMemberOf("t.owner_uid", "t.parent", bind(now()))],
  sort: { updated_at: standardSort["updated_at"]! },
  filters: {
    identity: (uid, bind) => `t.uid = ${bind(uid)}`,
    owner: (uid, bind) => `t.owner_uid = ${bind(uid)}`,
  },
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    groupUid: row.parent,
    ownerUid: row.owner_uid,
    ownerName: row.owner_name,
    ownerEmail: row.owner_email ?? "",
    updateTime: time(row.updated_at),
  }),
};

/** Locks a machine until the transaction ends; undefined if there is none. */
export async function lockMachine(
  queries: Queries,
  uid: string,
): Promise<{ readonly name: string; readonly parent: string } | undefined> {
  const [row] = await queries.query<{ name: string; parent: string }>(
    "select name, parent from identities where uid = $1 and parent is not null for update",
    [uid],
  );
  return row;
}

/** True for a person who has a role in the organization of a group and has accepted it. */
export async function isMember(queries: Queries, person: string, group: string): Promise<boolean> {
  const rows = await queries.query(
    `select 1 from identities i where i.uid = $1 and i.parent is null and ${isMemberOf("i.uid", "$2::text", "$3")}`,
    [person, group, now()],
  );
  return rows.length > 0;
}

export const storeOwner = (queries: Queries, uid: string, parent: string, owner: string): Promise<unknown> =>
  owner === ""
    ? queries.query("delete from machine_owners where uid = $1", [uid])
    : queries.query(
        `insert into machine_owners (uid, parent, owner_uid, created_at, updated_at) values ($1, $2, $3, $4, $4)
         on conflict (uid) do update set owner_uid = excluded.owner_uid, updated_at = excluded.updated_at`,
        [uid, parent, owner, now()],
      );
