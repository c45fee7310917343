import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";

/** A reference of a repo that the service has to look at in the registry. */
export interface Look {
  readonly repo: string;
  readonly reference: string;
  readonly actor: string | undefined;
  readonly attempts: number;
  /** When the next process takes it unless this one has finished it. */
  readonly until: Date;
}

/** Milliseconds after which a look that was begun counts as failed. */
const LEASE_MS = 120_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 3_600_000;
/** After these the hourly comparison is left. */
const MOST_ATTEMPTS = 12;
/** References of one repo that wait: more are left to the hourly comparison. */
const MOST_OF_REPO = 2_000;

/** Stores reasons to look, each reference once, however often it is named. */
export async function storeLooks(
  queries: Queries,
  reasons: readonly (Pick<Look, "reference" | "actor"> & { readonly uid: string })[],
): Promise<void> {
  if (reasons.length === 0) return;
  const rows = reasons.map(({ uid, reference, actor }) => ({ uid, reference, actor }));
  // Always in the same order, so that two writers cannot deadlock.
  await queries.query(
    `insert into registry_looks (repo_uid, reference, actor, due_at)
     select w.uid, w.reference, w.actor, $2 from jsonb_to_recordset($1::jsonb) as w (uid text, reference text, actor text)
       join (select r.uid from repos r where r.uid = any($3::text[])
         and (select count(*) from registry_looks l where l.repo_uid = r.uid) < ${MOST_OF_REPO}) r on r.uid = w.uid collate "C"
     order by w.uid, w.reference
     on conflict (repo_uid, reference) do update set due_at = excluded.due_at, attempts = 0,
       actor = coalesce(excluded.actor, registry_looks.actor)`,
    [JSON.stringify(rows), now(), [...new Set(rows.map(({ uid }) => uid))]],
  );
}

/** Takes looks that are due, a few of each repo, for this process alone. */
export async function takeLooks(queries: Queries, most: number): Promise<Look[]> {
  const at = now();
  const rows = await queries.query<{
    repo_uid: string;
    reference: string;
    actor: string | null;
    attempts: number;
    due_at: Date;
  }>(
    `update registry_looks l set due_at = $2, attempts = l.attempts + 1
     from (select repo_uid, reference from registry_looks where due_at <= $1
       order by due_at limit $3 for update skip locked) d
     where l.repo_uid = d.repo_uid and l.reference = d.reference
     returning l.repo_uid, l.reference, l.actor, l.attempts, l.due_at`,
    [at, new Date(at.getTime() + LEASE_MS), most],
  );
  return rows.map(({ repo_uid, reference, actor, attempts, due_at }) => ({
    repo: repo_uid,
    reference,
    actor: actor ?? undefined,
    attempts,
    until: due_at,
  }));
}

/** Removes a look, unless there was another reason meanwhile. */
export async function endLook(queries: Queries, { repo, reference, until }: Look): Promise<void> {
  await queries.query("delete from registry_looks where repo_uid = $1 and reference = $2 and due_at = $3", [
    repo,
    reference,
    until,
  ]);
}

/** Puts off a look that failed, longer each time, or gives it up. */
export async function putOffLook(queries: Queries, look: Look): Promise<void> {
  if (look.attempts >= MOST_ATTEMPTS) return endLook(queries, look);
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (look.attempts - 1), LONGEST_WAIT_MS);
  await queries.query(
    "update registry_looks set due_at = $4 where repo_uid = $1 and reference = $2 and due_at = $3",
    [look.repo, look.reference, look.until, new Date(now().getTime() + wait)],
  );
}

/** Who can push to a repo, as whoever signed in. */
export interface Pusher {
  readonly identity: string;
  readonly issuer: string;
  readonly subject: string;
}

/** Remembers who can push to a repo from now on until a token ends. */
export async function recordPusher(
  queries: Queries,
  repo: string,
  pusher: Pusher,
  until: Date,
): Promise<void> {
  await queries.query(
    `insert into registry_pushers (repo_uid, identity_uid, issuer, subject, until) values ($1, $2, $3, $4, $5)
     on conflict (repo_uid, identity_uid) do update set issuer = excluded.issuer, subject = excluded.subject,
       until = greatest(registry_pushers.until, excluded.until)`,
    [repo, pusher.identity, pusher.issuer, pusher.subject, until],
  );
}

/** Whom a notification names, if they have lately had a token that could push to the repo: otherwise it is wrong. */
export async function pusherOf(
  queries: Queries,
  repo: string,
  identity: string,
): Promise<Pusher | undefined> {
  const [row] = await queries.query<{ issuer: string; subject: string }>(
    "select issuer, subject from registry_pushers where repo_uid = $1 and identity_uid = $2 and until > $3",
    [repo, identity, new Date(now().getTime() - LONGEST_WAIT_MS)],
  );
  return row && { ...row, identity };
}

/** Forgets who could push long ago. */
export async function forgetPushers(queries: Queries): Promise<void> {
  await queries.query("delete from registry_pushers where until < $1", [
    new Date(now().getTime() - 24 * LONGEST_WAIT_MS),
  ]);
}
