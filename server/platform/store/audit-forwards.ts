import { now } from "./clock";
import type { Queries } from "./database";

/** Chains that one batch reads from, and entries of each: a long one delays the others by one batch at most. */
const CHAINS = 50;
const OF_EACH = 100;

/** Entries that wait for a target, of several chains; each chain in order. */
export interface Waiting {
  readonly rows: readonly StoredRow[];
  /** Entries that are gone: retention removed them. */
  readonly gone: readonly Place[];
  /** The last chain that was read: the next batch begins after it. */
  readonly last: string | undefined;
}

interface Place {
  readonly chain: string;
  readonly sequence: number;
}

export interface StoredRow extends Place {
  readonly uid: string;
  readonly entry: string;
  readonly previous: string;
  readonly hash: string;
  readonly created_at: Date;
}

/**
 * Takes or keeps the right to forward to a target, for some seconds.
 * @returns false if another process has it
 */
export async function holdForward(
  queries: Queries,
  target: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const at = now();
  const rows = await queries.query(
    `insert into audit_forward_leases as l values ($1, $2, $3)
     on conflict (target) do update set holder = excluded.holder, until = excluded.until
       where l.holder = excluded.holder or l.until < $4
     returning 1`,
    [target, holder, new Date(at.getTime() + seconds * 1000), at],
  );
  return rows.length > 0;
}

export const releaseForward = (queries: Queries, target: string, holder: string): Promise<unknown> =>
  queries.query("delete from audit_forward_leases where target = $1 and holder = $2", [target, holder]);

/** The next entries that a target lacks, from the chains after one; none if there are none in any chain. */
export async function waitingFor(
  queries: Queries,
  target: string,
  after: string | undefined,
): Promise<Waiting> {
  const chains = await queries.query<Place & { sent: number }>(
    `select h.chain, h.sequence, coalesce(f.sequence, 0) as sent
     from audit_heads h left join audit_forwards f on f.target = $1 and f.chain = h.chain
     where h.sequence > coalesce(f.sequence, 0) order by h.chain <= $2, h.chain limit ${CHAINS}`,
    // The first chain is '', that of the service.
    [target, after ?? ""],
  );
  const rows: StoredRow[] = [];
  const gone: Place[] = [];
  for (const { chain, sequence, sent } of chains) {
    const found = await queries.query<StoredRow>(
      `select uid, chain, sequence, entry, previous, hash, created_at from audit_entries
       where chain = $1 and sequence > $2 order by sequence limit ${OF_EACH}`,
      [chain, sent],
    );
    rows.push(...found);
    if (found.length === 0) gone.push({ chain, sequence });
  }
  return { rows, gone, last: chains.at(-1)?.chain };
}

/** Remembers that a target has these entries. */
export async function forwarded(queries: Queries, target: string, rows: readonly Place[]): Promise<void> {
  const last = new Map(rows.map(({ chain, sequence }) => [chain, sequence]));
  await queries.query(
    `insert into audit_forwards as f select $1, c.chain, c.sequence from unnest($2::text[], $3::bigint[]) as c (chain, sequence)
     on conflict (target, chain) do update set sequence = greatest(f.sequence, excluded.sequence)`,
    [target, [...last.keys()], [...last.values()]],
  );
}

/** How many entries a target has yet to get, and the age of the oldest in seconds, of at most `most` chains. */
export async function forwardLag(
  queries: Queries,
  target: string,
  most: number,
): Promise<{ readonly lag: number; readonly age: number }> {
  const [row] = await queries.query<{ lag: number; age: number }>(
    `with behind as (select h.chain, h.sequence - coalesce(f.sequence, 0) as lag, coalesce(f.sequence, 0) as had
       from audit_heads h left join audit_forwards f on f.target = $1 and f.chain = h.chain
       where h.sequence > coalesce(f.sequence, 0))
     select (select coalesce(sum(lag), 0) from behind)::float8 as lag,
       coalesce(extract(epoch from now() - min(e.created_at)), 0)::float8 as age
     from (select * from behind limit ${most}) b cross join lateral
       (select created_at from audit_entries where chain = b.chain and sequence > b.had order by sequence limit 1) e`,
    [target],
  );
  return { lag: row?.lag ?? 0, age: Math.max(0, row?.age ?? 0) };
}
