import { randomUUID } from "node:crypto";

import { now } from "../clock";
import type { Queries } from "../database";

/** What a mail is about; its text is made when it is sent. */
export type MailKind =
  | "reset"
  | "confirm"
  | "passwordChanged"
  | "addressChanged"
  | "factorsChanged"
  | "auditHead"
  | "endings"
  | "invite";

/** What happened to the second factors of an account; a fact of the mail about it. */
export type FactorChange = "appAdded" | "passkeyAdded" | "removed" | "codesMade" | "codeUsed" | "reset";

export interface NewMail {
  readonly kind: MailKind;
  readonly address: string;
  readonly facts?: Readonly<Record<string, string>>;
  /** The invite that it is about. */
  readonly invite?: string;
  /** Seconds after which it is of no use. */
  readonly usefulS: number;
}

export interface Mail {
  readonly uid: string;
  readonly kind: MailKind;
  readonly address: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly invite: string | null;
  /** Including the one that is about to be made. */
  readonly attempts: number;
  readonly expires: Date;
  readonly created: Date;
}

/** Mails that can wait, of all organizations together. */
export const MOST_WAITING = 10_000;

/**
 * Stores a mail to be sent.
 * @returns false if too many wait
 */
export async function storeMail(
  queries: Queries,
  { kind, address, facts = {}, invite, usefulS }: NewMail,
  most = MOST_WAITING,
): Promise<boolean> {
  const at = now();
  const stored = await queries.query(
    `insert into mail_outbox (uid, kind, address, facts, invite_uid, next_at, expires_at, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $6
     where (select count(*) from (select 1 from mail_outbox limit $8) waiting) < $8
     returning 1`,
    [
      randomUUID(),
      kind,
      address,
      JSON.stringify(facts),
      invite ?? null,
      at,
      new Date(at.getTime() + usefulS * 1000),
      most,
    ],
  );
  return stored.length > 0;
}

interface MailRow extends Omit<Mail, "facts"> {
  readonly facts: string;
}

/**
 * Takes mails that are due; no other process gets them for `lease` milliseconds. Those of accounts come before invites, of
 * which one organization can have many.
 */
export async function claimMails(
  queries: Queries,
  { most, lease }: { readonly most: number; readonly lease: number },
): Promise<Mail[]> {
  const at = now();
  const rows = await queries.query<MailRow>(
    `update mail_outbox m set attempts = attempts + 1, next_at = $2
     where uid in (select uid from mail_outbox where next_at <= $1
       order by invite_uid is not null, next_at limit $3 for update skip locked)
     returning uid, kind, address, facts, invite_uid as invite, attempts, expires_at as expires,
       created_at as created`,
    [at, new Date(at.getTime() + lease), most],
  );
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) }));
}

export const putOffMail = (queries: Queries, { uid }: Mail, until: Date): Promise<unknown> =>
  queries.query("update mail_outbox set next_at = $2 where uid = $1", [uid, until]);

/** Removes a mail; an invite keeps how it ended. */
export async function endMail(
  queries: Queries,
  { uid, invite }: Mail,
  outcome: "sent" | "failed" | "dropped",
): Promise<void> {
  if (invite !== null && outcome !== "dropped")
    await queries.query("update group_invites set mail_outcome = $2 where uid = $1", [invite, outcome]);
  await queries.query("delete from mail_outbox where uid = $1", [uid]);
}

/** When the next mail is due; undefined if none waits. */
export async function nextMailAt(queries: Queries): Promise<Date | undefined> {
  const [row] = await queries.query<{ at: Date | null }>("select min(next_at) as at from mail_outbox");
  return row?.at ?? undefined;
}

export interface MailFigures {
  readonly waiting: number;
  /** Seconds since the oldest was stored. */
  readonly age: number;
}

export async function readMailFigures(queries: Queries): Promise<MailFigures> {
  const [row] = await queries.query<MailFigures>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
     from mail_outbox`,
  );
  return { waiting: row?.waiting ?? 0, age: Math.max(0, row?.age ?? 0) };
}
