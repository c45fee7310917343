import { createHash } from "node:crypto";

import type { Database, Queries } from "../store/database";
import { TryAgain } from "./try-again";

const DAY_MS = 24 * 3600_000;

/**
 * The delay starts after `free` attempts and doubles from one second to `longestS`. Attempts are forgotten one by one, at
 * an even rate, and all of them within `forgetMs`: an address that many people share always has some.
 */
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

type Kind = "account" | "device" | "address" | "sign-up" | "factor";

/** Keys of an attempt. Missing or empty ones are not counted. */
export interface Attempted {
  /** An email. */
  readonly account?: string;
  /** Mark of a browser in which the account has signed in before: counted instead of account and address. */
  readonly device?: string | undefined;
  readonly address?: string;
  /** Subject of the account whose second factor it is. */
  readonly factor?: string;
  /** The address that creates an account. */
  readonly signUp?: string;
}

/** Counts as a failure and as a created account until the outcome is reported. */
export interface Attempt {
  /** It was not a failure: resets the account, device or factor count, and takes back the address count. */
  succeeded(): Promise<void>;
  /** No account was created. */
  failed(): Promise<void>;
  /** It did not run: takes back all counts. */
  withdrawn(): Promise<void>;
}

interface Count {
  readonly kind: Kind;
  readonly key: string;
  readonly count: number;
}

const delayMs = ({ free, longestS }: Rule, count: number): number =>
  count <= free ? 0 : 1000 * Math.min(longestS, 2 ** (count - free - 1));

/** The count with the longest delay; more are not kept. */
const most = ({ free, longestS }: Rule): number => free + 1 + Math.ceil(Math.log2(longestS));

/** SQL: how many attempts of row `f` were forgotten from `failed_at` to $2; each takes $3 seconds. */
const FORGOTTEN = "greatest(0, floor(extract(epoch from $2::timestamptz - f.failed_at) / $3::float8))";

/**
 * Counts before the outcome is known, so that parallel guesses all count. Throws TryAgain, which does not count.
 * `failed_at` is the time up to which attempts are forgotten: it moves by whole attempts, or to now if none is left.
 */
async function count(queries: Queries, key: string, rule: Rule, time: Date): Promise<number> {
  const rows = await queries.query<{ failures: number }>(
    `insert into sign_in_failures as f (key, failures, failed_at, blocked_until) values ($1, 1, $2, 'epoch')
     on conflict (key) do update set
       failures = least($4, greatest(0, f.failures - ${FORGOTTEN}) + 1),
       failed_at = case when ${FORGOTTEN} >= f.failures then $2
         else f.failed_at + ${FORGOTTEN} * $3::float8 * interval '1 second' end
       where f.blocked_until <= $2
     returning failures`,
    [key, time, rule.forgetMs / 1000 / most(rule), most(rule)],
  );
  const [row] = rows;
  if (row) {
    const delay = delayMs(rule, row.failures);
    const until = new Date(time.getTime() + delay);
    // Only if there is a delay: this clock can be ahead of another process's, or of an attempt that waited.
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

/** Always in this order, so that two attempts cannot deadlock. The account is hashed: it is arbitrary user input. */
function keysOf({
  account = "",
  device,
  address = "",
  signUp = "",
  factor = "",
}: Attempted): [Kind, string][] {
  const typed = createHash("sha256").update(account).digest("base64url");
  const keys: [Kind, string][] =
    device === undefined
      ? [
          ["account", account && typed],
          ["address", address],
        ]
      : [["device", device]];
  const more: [Kind, string][] = [
    ["factor", factor],
    ["sign-up", signUp],
  ];
  return [...keys, ...more].filter(([, value]) => value !== "");
}

/**
 * Throttles everything that reveals if a password or an email is right, with a growing delay per account and per
 * address, never a lockout. Stored in the database, so that all processes share it. `signUps` accounts per address are
 * free; 0: no limit.
 */
export function createThrottle(database: Database, now: () => Date, { signUps }: { signUps: number }) {
  const rules: Readonly<Record<Kind, Rule>> = {
    account: failures(3),
    device: failures(3),
    address: failures(20),
    // Six digits are soon guessed at the pace of passwords.
    factor: { free: 5, longestS: 300, forgetMs: DAY_MS, why: "Too many failed attempts" },
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
      `delete from sign_in_failures where failed_at < $1 and (key !~ '^(sign-up|factor):' or failed_at < $2)`,
      [new Date(prunedAt - rules.account.forgetMs), new Date(prunedAt - rules["sign-up"].forgetMs)],
    );
  }

  /** Takes back one count, and its delay unless more were counted since. */
  const giveBack = ({ key, count }: Count): Promise<unknown> =>
    database.query(
      `update sign_in_failures set failures = failures - 1,
         blocked_until = case when failures = $2 then 'epoch' else blocked_until end
       where key = $1 and failures > 0`,
      [key, count],
    );

  return {
    /** Throws TryAgain; that attempt does not count. */
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
          const over = counts.filter(
            ({ kind }) => kind === "account" || kind === "device" || kind === "factor",
          );
          for (const { key } of over)
            await database.query("delete from sign_in_failures where key = $1", [key]);
          // Not reset: otherwise attackers could clear their guesses at other accounts by signing in to their own.
          await takeBack("address");
        },
        failed: () => takeBack("sign-up"),
        withdrawn: () => takeBack("account", "device", "address", "factor", "sign-up"),
      };
    },
  };
}

export type Throttle = ReturnType<typeof createThrottle>;
