import { createHash, randomBytes } from "node:crypto";

import type { groupInvites } from "platform-contract/iam/group-invites";
import type { InputOf } from "platform-contract/resource";
import { secondsOf } from "platform-contract/schema";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import {
  standardSort,
  time,
  TIMES,
  times,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";
import { roleCapabilities } from "./roles.table";

/** A new code: shown once, and sent to the invited person. */
export const newCode = (): string => randomBytes(32).toString("base64url");

/** The stored form of a code. */
export const hashOf = (code: string): string => createHash("sha256").update(code).digest("hex");

/** Hex digits of the hash that identify an invite. */
const KEY_DIGITS = 16;

/** Days that an invite stays listed after it expires. */
const KEPT_DAYS = 30;

type GroupInviteRow = Timed &
  Texts<"uid" | "role_uid" | "email" | "role_name" | "role_description"> &
  // The rows of the log have no `code_hash`.
  Readonly<Record<"code_hash" | "mail" | "role" | "maker" | "maker_name" | "maker_email", string | null>> & {
    readonly single_use: boolean;
    readonly expires_at: Date;
    readonly role_capabilities: readonly string[];
  };
type InviteTable = RecordTable<InputOf<typeof groupInvites>, GroupInviteRow>;

export const groupInvitesTable: InviteTable = {
  name: "group_invites",
  joins: "left join roles r on r.uid = t.role_uid left join identities i on i.uid = t.created_by",
  columns: `t.uid, t.role_uid, t.email, t.single_use, t.expires_at, t.code_hash,
    case when exists (select 1 from mail_outbox m where m.invite_uid = t.uid) then 'queued' else t.mail_outcome end as mail,
    r.uid as role, r.name as role_name,
    r.description as role_description, r.capabilities as role_capabilities, i.uid as maker, i.name as maker_name,
    coalesce(nullif(i.email, ''), i.email_unverified) as maker_email, ${TIMES}`,
  sort: {
    ...standardSort,
    name: { sql: "lower(t.email)", type: "text" },
    expiration_time: { sql: "t.expires_at", type: "time" },
  },
  filters: { keyId: (keyId, bind) => `left(t.code_hash, ${KEY_DIGITS}) = ${bind(keyId)}` },
  toItem: (row) => ({
    uid: row.uid,
    roleUid: row.role_uid,
    role:
      row.role === null
        ? undefined
        : {
            uid: row.role,
            name: row.role_name,
            description: row.role_description,
            capabilities: roleCapabilities(row.role_capabilities),
          },
    email: row.email,
    singleUse: row.single_use || undefined,
    emailState: row.mail === null ? undefined : `EMAIL_STATE_${row.mail.toUpperCase()}`,
    expirationTime: time(row.expires_at),
    keyId: row.code_hash?.slice(0, KEY_DIGITS),
    createdBy:
      row.maker === null ? undefined : { uid: row.maker, name: row.maker_name, email: row.maker_email },
    ...times(row),
  }),
  toRow: ({ roleUid, email = "", singleUse = false, ttl }, { caller, previous }) => ({
    role_uid: roleUid,
    email,
    single_use: singleUse,
    ...(ttl && { expires_at: new Date(now().getTime() + (secondsOf(ttl) ?? 0) * 1000) }),
    ...(previous ? {} : { created_by: caller.identities[0] ?? "" }),
    inviters: caller.identities,
  }),
};

/** The table for one new invite, which this code redeems. */
export const withCode = (code: string): InviteTable => ({
  ...groupInvitesTable,
  toRow: (input, written) => ({ ...groupInvitesTable.toRow(input, written), code_hash: hashOf(code) }),
});

/** An invite, as needed to redeem it. */
export interface Invite {
  readonly uid: string;
  readonly parent: string;
  readonly role_uid: string;
  readonly email: string;
  readonly single_use: boolean;
  readonly expires_at: Date;
  readonly inviters: readonly string[];
}

/** The invite for a code, locked until the transaction ends; undefined if there is none any more. */
export async function lockInvite(queries: Queries, code: string): Promise<Invite | undefined> {
  const [invite] = await queries.query<Invite>(
    `select uid, parent, role_uid, email, single_use, expires_at, inviters from group_invites
     where code_hash = $1 for update`,
    [hashOf(code)],
  );
  return invite;
}

/** What the identity got with a code and still holds. */
export async function findUse(
  queries: Queries,
  code: string,
  identity: string,
): Promise<Pick<Invite, "parent" | "role_uid" | "expires_at"> | undefined> {
  const [use] = await queries.query<Pick<Invite, "parent" | "role_uid" | "expires_at">>(
    `select u.parent, u.role_uid, u.expires_at from group_invite_uses u
       join role_bindings b on (b.parent, b.identity_uid, b.role_uid) = (u.parent, u.identity_uid, u.role_uid)
     where u.code_hash = $1 and u.identity_uid = $2`,
    [hashOf(code), identity],
  );
  return use;
}

export async function recordUse(
  queries: Queries,
  code: string,
  identity: string,
  { parent, role_uid, expires_at }: Invite,
): Promise<void> {
  await queries.query(
    `insert into group_invite_uses (code_hash, identity_uid, parent, role_uid, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (code_hash, identity_uid) do update set role_uid = excluded.role_uid`,
    [hashOf(code), identity, parent, role_uid, expires_at],
  );
}

/** Forgets who used an invite that is revoked: they keep their role, but can no longer send the code a second time. */
export async function forgetUses(queries: Queries, uid: string): Promise<void> {
  await queries.query(
    "delete from group_invite_uses where code_hash = (select code_hash from group_invites where uid = $1)",
    [uid],
  );
}

/** Invites, and records of their use, that expired before this are removed. */
const keptFrom = (): Date => new Date(now().getTime() - KEPT_DAYS * 24 * 3_600_000);

/** The organizations with invites to remove. */
export async function organizationsToSweep(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ organization: string }>(
    `select left(uid, 40) as organization from group_invites where expires_at < $1 group by 1 order by 1`,
    [keptFrom()],
  );
  return rows.map(({ organization }) => organization);
}

/** Removes expired invites of an organization, at most `most`; returns how many it removed. */
export async function sweepInvites(queries: Queries, organization: string, most: number): Promise<number> {
  const removed = await queries.query(
    `delete from group_invites where uid in (select uid from group_invites
       where expires_at < $1 and uid >= $2 || '/' and uid < $2 || '0' order by expires_at limit $3) returning 1`,
    [keptFrom(), organization, most],
  );
  return removed.length;
}

export async function sweepInviteUses(queries: Queries): Promise<void> {
  await queries.query("delete from group_invite_uses where expires_at < $1", [keptFrom()]);
}

/** What a redeemed invite gives: the names of its group and its role; undefined for a role that is gone. */
export async function namesOfGrant(
  queries: Queries,
  group: string,
  role: string,
): Promise<{ readonly groupName?: string; readonly name?: string; readonly description?: string }> {
  const [found] = await queries.query<{ groupName: string; name?: string; description?: string }>(
    `select g.name as "groupName", r.name, r.description from groups g left join roles r on r.uid = $2 where g.uid = $1`,
    [group, role],
  );
  return found ?? {};
}
