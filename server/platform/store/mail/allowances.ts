import { now } from "../clock";
import type { Queries } from "../database";

/** `most` at once, and one more each `everyS` seconds. */
export interface Allowance {
  readonly key: string;
  readonly most: number;
  readonly everyS: number;
}

/** SQL: what is still taken of row `a` at $2, which is one less each $3 seconds. */
const LEFT = "greatest(0, a.taken - greatest(0, extract(epoch from $2::timestamptz - a.at)) / $3::float8)";

/**
 * Takes one of an allowance; atomic, for all processes.
 * @returns zero, or the seconds until there is one
 */
export async function take(
  queries: Queries,
  { key, most, everyS }: Allowance,
  at: Date = now(),
): Promise<number> {
  const made = await queries.query(
    `insert into mail_allowances as a values ($1, 1, $2)
     on conflict (key) do update set taken = ${LEFT} + 1, at = greatest(a.at, $2)
       where ${LEFT} + 1 <= $4::float8
     returning 1`,
    [key, at, everyS, most],
  );
  if (made.length > 0) return 0;
  const [row] = await queries.query<{ left: number }>(
    `select ${LEFT} as left from mail_allowances a where key = $1`,
    [key, at, everyS],
  );
  return Math.max(1, Math.ceil(((row?.left ?? 0) + 1 - most) * everyS));
}

/** After this many hours every allowance is whole again. */
const WHOLE_HOURS = 48;

export const sweepAllowances = (queries: Queries): Promise<unknown> =>
  queries.query("delete from mail_allowances where at < $1", [
    new Date(now().getTime() - WHOLE_HOURS * 3_600_000),
  ]);
