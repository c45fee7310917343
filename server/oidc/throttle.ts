import { createHash } from "node:crypto";

import type { Database, Queries } from "../store/database";

/** So many failures are free; then the delay doubles from one second to the longest. */
const FREE = { account: 3, address: 20 } as const;
const LONGEST_S = 30;
/** Failures are forgotten this long after the last one. */
const FORGET_MS = 15 * 60_000;

export interface Attempt {
  /** It was no failure: the account's count ends, the address has its own back. */
  succeeded(): Promise<void>;
}

/** The next attempt is allowed in so many seconds; the message is a sentence for the person. */
export class TooManyAttempts extends Error {
  constructor(readonly seconds: number) {
    super(`Too many failed attempts. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`);
  }
}

const delayMs = (kind: keyof typeof FREE, failures: number): number =>
  failures <= FREE[kind] ? 0 : 1000 * Math.min(LONGEST_S, 2 ** (failures - FREE[kind] - 1));

/** Counts the attempt as a failure until it is known to be none: guesses made side by side must not count as one. */
async function count(queries: Queries, kind: keyof typeof FREE, key: string, time: Date): Promise<void> {
  const rows = await queries.query<{ failures: number }>(
    `insert into sign_in_failures as f (key, failures, failed_at, blocked_until) values ($1, 1, $2, $2)
     on conflict (key) do update set failures = case when f.failed_at < $3 then 1 else f.failures + 1 end, failed_at = $2
       where f.blocked_until <= $2
     returning failures`,
    [key, time, new Date(time.getTime() - FORGET_MS)],
  );
  const [row] = rows;
  if (row) {
    const until = new Date(time.getTime() + delayMs(kind, row.failures));
    await queries.query("update sign_in_failures set blocked_until = $2 where key = $1", [key, until]);
    return;
  }
  const blocked = await queries.query<{ blocked_until: Date }>(
    "select blocked_until from sign_in_failures where key = $1",
    [key],
  );
  const left = (blocked[0]?.blocked_until.getTime() ?? 0) - time.getTime();
  throw new TooManyAttempts(Math.max(1, Math.ceil(left / 1000)));
}

/**
 * The throttle of everything that answers whether a password or an email is right: a growing delay per account and per
 * address, never a lock, known to every process because it is kept in the database.
 */
export function createThrottle(database: Database, now: () => Date) {
  let prunedAt = 0;

  async function prune(time: Date): Promise<void> {
    if (time.getTime() - prunedAt < FORGET_MS) return;
    prunedAt = time.getTime();
    await database.query("delete from sign_in_failures where failed_at < $1", [
      new Date(prunedAt - FORGET_MS),
    ]);
  }

  return {
    /** `account` is an email or "" for attempts that concern none. Throws TooManyAttempts, which then does not count. */
    async begin(account: string, address: string): Promise<Attempt> {
      const time = now();
      await prune(time);
      // Hashed: it is whatever somebody typed, of any length and with any character in it.
      const accountKey = `account:${createHash("sha256").update(account).digest("base64url")}`;
      const addressKey = `address:${address}`;
      // Always in this order, so that two attempts never wait for each other.
      await database.transaction(async (queries) => {
        if (account !== "") await count(queries, "account", accountKey, time);
        await count(queries, "address", addressKey, time);
      });
      return {
        async succeeded() {
          if (account !== "")
            await database.query("delete from sign_in_failures where key = $1", [accountKey]);
          // Not forgotten as a whole: else an attacker's own account would wash away their guesses at others'.
          await database.query(
            `update sign_in_failures set failures = failures - 1, blocked_until = $2 where key = $1 and failures > 0`,
            [addressKey, now()],
          );
        },
      };
    },
  };
}

export type Throttle = ReturnType<typeof createThrottle>;
