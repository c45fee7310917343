import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

import type { Database, Queries, Row } from "../store/database";
import type { StateKind } from "./factors/interaction-state";
import { END_SESSION, ENDED, isOpen } from "./sessions";

/** A refresh token can be reused this long after its first use: by two tabs, or after a lost response. */
const REUSE_WINDOW_MS = 10_000;
const PRUNE_EVERY_MS = 10 * 60_000;
const PRUNE_AT_MOST = 1_000;

// All ids are the provider's own (nanoid). Anything else that a client sends need not reach the database, which would
// fail on a NUL.
const OWN_ID = /^[\w-]{1,128}$/;

const WRITE = `insert into provider_records (kind, id, payload, grant_id, account, session_uid, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (kind, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
    account = excluded.account, session_uid = excluded.session_uid, expires_at = excluded.expires_at
  where provider_records.payload <> '${ENDED}'`;

interface Stored extends Row {
  readonly payload: string;
  readonly consumed_at: Date | null;
}

export interface AdapterOptions {
  readonly database: Database;
  readonly now: () => Date;
  /** Called in their transaction with the sign-ins that were pruned: nobody continued there in time. */
  readonly pruned: (queries: Queries, records: readonly { readonly payload: string }[]) => Promise<void>;
  /** Runs what ends a session; in a sign-out, together with its entry in the log. */
  readonly ending: (work: (queries: Queries) => Promise<void>) => Promise<void>;
  /** Creates the error for a code that a concurrent request has already used. */
  readonly used: () => Error;
  /** The sign-in that this request makes a session of. */
  readonly signingIn: () => { readonly id: string; readonly account: string } | undefined;
  /** Creates the error for a sign-in that was ended meanwhile. */
  readonly gone: () => Error;
}

/** SQL storage for the provider: one table, a row per record, deleted some time after it expires. */
export function adapterFactory({
  database,
  now,
  pruned,
  ending,
  used,
  signingIn,
  gone,
}: AdapterOptions): AdapterFactory {
  let prunedAt = 0;

  // Runs with writes instead of on a timer: nothing to stop, and no work while idle.
  async function prune(): Promise<void> {
    const time = now();
    if (time.getTime() - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = time.getTime();
    const gone = await database.transaction(async (queries) => {
      const deleted = await queries.query<{ payload: string }>(
        `delete from provider_records where (kind, id) in
           (select kind, id from provider_records where expires_at < $1 order by expires_at limit ${PRUNE_AT_MOST})
         returning case when kind = $2 then payload else '' end as payload`,
        [time, "SecondStep" satisfies StateKind],
      );
      await pruned(
        queries,
        deleted.filter(({ payload }) => payload !== ""),
      );
      return deleted;
    });
    // There are more: continue with the next write, or else a flood of abandoned sign-ins would stay for months.
    if (gone.length === PRUNE_AT_MOST) prunedAt = 0;
  }

  function read(kind: string, row: Stored | undefined): AdapterPayload | undefined {
    if (!row || row.payload === ENDED) return undefined;
    const payload: AdapterPayload = JSON.parse(row.payload);
    if (!row.consumed_at) return payload;
    // Without `consumed`, the provider rotates the token again instead of revoking the whole grant.
    const since = now().getTime() - row.consumed_at.getTime();
    if (kind === "RefreshToken" && since < REUSE_WINDOW_MS) return payload;
    return { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) };
  }

  /** Writes that a sign-in has succeeded; never anew, since endSessions() may have deleted it. */
  async function succeed(values: readonly unknown[]): Promise<void> {
    const written = await database.query(
      `update provider_records set payload = $3, grant_id = $4, session_uid = $6, expires_at = $7
       where kind = $1 and id = $2 and account = $5 and payload <> '${ENDED}' returning 1`,
      values,
    );
    if (written.length === 0) throw gone();
  }

  const adapter = (kind: string): Adapter => ({
    async upsert(id, payload, expiresIn = 0) {
      await prune();
      const { accountId, grantId, uid, session, result } = payload;
      // An interaction belongs to the account that has signed in to it, so that it ends with that account's sessions.
      const account = result?.login?.accountId ?? accountId ?? session?.accountId;
      const values = [
        kind,
        id,
        JSON.stringify(payload),
        grantId ?? null,
        account ?? null,
        (kind === "Session" && uid) || null,
        new Date(now().getTime() + expiresIn * 1000),
      ];
      const signedIn = kind === "Interaction" && result?.login !== undefined;
      if (signedIn && account !== undefined) return succeed(values);
      const from = kind === "Session" ? signingIn() : undefined;
      // Otherwise it is still the session of somebody else, who is signed out first.
      if (from === undefined || from.account !== account) return void (await database.query(WRITE, values));
      await database.transaction(async (queries) => {
        if (!(await isOpen(queries, "Interaction", from.id, from.account))) throw gone();
        await queries.query(WRITE, values);
      });
    },

    async find(id) {
      if (!OWN_ID.test(id)) return undefined;
      const rows = await database.query<Stored>(
        "select payload, consumed_at from provider_records where kind = $1 and id = $2",
        [kind, id],
      );
      return read(kind, rows[0]);
    },

    async findByUid(uid) {
      const rows = await database.query<Stored>(
        "select payload, consumed_at from provider_records where kind = $1 and session_uid = $2",
        [kind, uid],
      );
      return read(kind, rows[0]);
    },

    // Only for the device flow, which is off.
    async findByUserCode() {
      return undefined;
    },

    async consume(id) {
      // Only the first use counts: later ones must not extend the window.
      const first = await database.query(
        `update provider_records set consumed_at = $3 where kind = $1 and id = $2 and consumed_at is null
         returning id`,
        [kind, id, now()],
      );
      if (first.length === 0 && kind !== "RefreshToken") throw used();
    },

    async destroy(id) {
      const end = async (queries: Queries) => void (await queries.query(`${END_SESSION} and id = $1`, [id]));
      if (kind === "Session") await ending(end);
      // It still says whose it was, until the session is written that it becomes.
      else if (kind === "Interaction")
        await database.query(`update provider_records set payload = '${ENDED}' where kind = $1 and id = $2`, [
          kind,
          id,
        ]);
      else await database.query("delete from provider_records where kind = $1 and id = $2", [kind, id]);
    },

    async revokeByGrantId(grantId) {
      await database.query("delete from provider_records where kind = $1 and grant_id = $2", [kind, grantId]);
    },
  });

  return adapter;
}
