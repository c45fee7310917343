import { createHash } from "node:crypto";

import type { Database, Queries } from "../store/database";
import { TryAgain } from "./try-again";

const DAY_MS = 24 * 3600_000;

/** `free` so many are free; then the delay doubles from one second to the longest. Forgotten so long after the last one. */
interface Rule {
  readonly free: number;
  readonly longestS: number;
  readonly forgetMs: number;
  readonly why: string;
}

const failures = (free: number): Rule => ({
  free,
  longestS: 30,
  forgetMs: 15 * 60_000,
  why: "Too many failed attempts",
});

type Kind = "account" | "device" | "address" | "sign-up";

/** Who attempts. One that is left out or "" is not counted. */
export interface Attempted {
  /** An email. */
  readonly account?: string;
  /** The mark of a browser in which the account has been signed in to: it is counted in the place of account and address. */
  readonly device?: string | undefined;
  readonly address?: string;
  /** The address that an account is created from. */
  readonly signUp?: string;
}

/** Until it is said how it went, it counts as a failure and as an account that was made. */
export interface Attempt {
  /** It was no failure: the account's or the browser's count ends, the address has its own back. */
  succeeded(): Promise<void>;
  /** No account was made. */
  failed(): Promise<void>;
  /** It was not even tried, so that nothing is known of it. */
  withdrawn(): Promise<void>;
}

interface Count {
  readonly kind: Kind;
  readonly key: string;
  readonly count: number;
}

const delayMs = ({ free, longestS }: Rule, count: number): number =>
  count <= free ? 0 : 1000 * Math.min(longestS, 2 ** (count - free - 1));

/** Counts before anything is known: guesses made side by side must not count as one. Throws TryAgain, which does not count. */
async function count(queries: Queries, key: string, rule: Rule, time: Date): Promise<number> {
  const rows = await queries.query<{ failures: number }>(
    `insert into sign_in_failures as f (key, failures, failed_at, blocked_until) values ($1, 1, $2, 'epoch')
     on conflict (key) do update set failures = case when f.failed_at < $3 then 1 else f.failures + 1 end, failed_at = $2
       where f.blocked_until <= $2
     returning failures`,
    [key, time, new Date(time.getTime() - rule.forgetMs)],
  );
  const [row] = rows;
  if (row) {
    const delay = delayMs(rule, row.failures);
    const until = new Date(time.getTime() + delay);
    // Not where nothing is delayed: this clock may be ahead of that of another process, or of an attempt that waited.
    if (delay > 0)
      await queries.query("update sign_in_failures set blocked_until = $2 where key = $1", [key, until]);
    return row.failures;
  }
  const blocked = await queries.query<{ blocked_until: Date }>(
    "select blocked_until from sign_in_failures where key = $1",
    [key],
  );
  const left = (blocked[0]?.blocked_until.getTime() ?? 0) - time.getTime();
  throw new TryAgain(429, rule.why, Math.max(1, Math.ceil(left / 1000)));
}

/** Always in this order, so that two attempts never wait for each other. Hashed where somebody typed it: it may be anything. */
function keysOf({ account = "", device, address = "", signUp = "" }: Attempted): [Kind, string][] {
  const typed = createHash("sha256").update(account).digest("base64url");
  const keys: [Kind, string][] =
    device === undefined
      ? [
          ["account", account && typed],
          ["address", address],
        ]
      : [["device", device]];
  return [...keys, ["sign-up", signUp] satisfies [Kind, string]].filter(([, value]) => value !== "");
}

/**
 * The throttle of everything that answers whether a password or an email is right: a growing delay per account and per
 * address, never a lock, known to every process because it is kept in the database. `signUps` accounts are free for each
 * address; 0: all.
 */
export function createThrottle(database: Database, now: () => Date, { signUps }: { signUps: number }) {
  const rules: Readonly<Record<Kind, Rule>> = {
    account: failures(3),
    device: failures(3),
    address: failures(20),
    "sign-up": {
      free: signUps,
      longestS: 600,
      forgetMs: DAY_MS,
      why: "Too many accounts were created from your network",
    },
  };
  let prunedAt = 0;

  async function prune(time: Date): Promise<void> {
    if (time.getTime() - prunedAt < rules.account.forgetMs) return;
    prunedAt = time.getTime();
    await database.query(
      `delete from sign_in_failures where failed_at < $1 and (key not like 'sign-up:%' or failed_at < $2)`,
      [new Date(prunedAt - rules.account.forgetMs), new Date(prunedAt - rules["sign-up"].forgetMs)],
    );
  }

  /** Takes one back, and the delay that it brought unless others came after it. */
  const giveBack = ({ key, count }: Count): Promise<unknown> =>
    database.query(
      `update sign_in_failures set failures = failures - 1,
         blocked_until = case when failures = $2 then 'epoch' else blocked_until end
       where key = $1 and failures > 0`,
      [key, count],
    );

  return {
    /** Throws TryAgain, which then does not count. */
    async begin(who: Attempted): Promise<Attempt> {
      const time = now();
      await prune(time);
      const counts = await database.transaction(async (queries) => {
        const made: Count[] = [];
        for (const [kind, value] of keysOf(who)) {
          if (kind === "sign-up" && signUps === 0) continue;
          const key = `${kind}:${value}`;
          made.push({ kind, key, count: await count(queries, key, rules[kind], time) });
        }
        return made;
      });
      const takeBack = async (...kinds: readonly Kind[]) => {
        for (const one of counts) if (kinds.includes(one.kind)) await giveBack(one);
      };
      return {
        async succeeded() {
          const over = counts.filter(({ kind }) => kind === "account" || kind === "device");
          for (const { key } of over)
            await database.query("delete from sign_in_failures where key = $1", [key]);
          // Not forgotten as a whole: else an attacker's own account would wash away their guesses at others'.
          await takeBack("address");
        },
        failed: () => takeBack("sign-up"),
        withdrawn: () => takeBack("account", "device", "address", "sign-up"),
      };
    },
  };
}

export type Throttle = ReturnType<typeof createThrottle>;
