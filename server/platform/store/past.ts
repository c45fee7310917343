import type { Queries } from "./database";
import { Parameters, type Bind } from "./sql";
import { joinOf, type RowReference, type Table } from "./table";

/** A time, and the first change of any record after it; undefined if there was none. */
export interface Past {
  readonly time: Date;
  readonly from: number | undefined;
}

export async function pastAt(queries: Queries, time: Date): Promise<Past> {
  const [row] = await queries.query<{ from: number | null }>(
    `select min(id) as from from record_changes where at > $1`,
    [time],
  );
  return { time, from: row?.from ?? undefined };
}

/** Organizations whose ranges of uids the planner weighs one by one. */
const FEW = 10;

/** SQL literals: only the characters of a uid, whoever sends it. */
const literal = (uid: string): string => `'${uid.replaceAll(/[^0-9a-f/]/g, "")}'`;

/** SQL: what records of a table were before changes after a time, as `s`. */
const later = (table: string, { time, from }: Past, which: string): string =>
  `record_states s join record_changes c on c.id = s.change where s.change >= ${from}
     and c.at > '${time.toISOString()}'::timestamptz and s.record_table = '${table}' and ${which}`;

/** SQL: rows of a table of the states of `f`, without those of records that were not there. */
const revived = (table: string): string =>
  `cross join lateral jsonb_populate_record(null::${table}, f.before) r where f.before is not null`;

function inside(organizations: readonly string[]): string {
  const uids = organizations.map(literal);
  if (uids.length === 0) return "false";
  if (uids.length > FEW) return `left(s.uid, 40) = any(array[${uids.join(", ")}])`;
  return `(${uids.map((uid) => `s.uid > ${uid} and s.uid < ${uid} || '0'`).join(" or ")})`;
}

/** SQL: the states of a table since, of what is in these organizations and at root level. */
const statesSince = (table: string, past: Past, organizations: readonly string[]): string =>
  [inside(organizations), "length(s.uid) = 40"]
    .map((which) => `select s.uid, s.seq, s.before from ${later(table, past, which)}`)
    .join(" union all ");

/** SQL: the uids of the records of a table that have changed since. */
const changedSince = (table: string, past: Past, organizations: readonly string[]): string =>
  `select distinct s.uid from (${statesSince(table, past, organizations)}) s`;

/**
 * SQL: the rows of a table as they were: today's without those that changed since, and these as they were before their
 * first change. Right for what is in these organizations and at root level; all others are among them as they are today.
 */
function rowsAt(table: string, past: Past, organizations: readonly string[]): string {
  if (past.from === undefined) return table;
  const found = statesSince(table, past, organizations);
  // Read once, and looked up by hash: fresh tables have no statistics that would tell the planner to.
  return `(with first_states as materialized (
      select distinct on (s.uid) s.uid, s.before from (${found}) s order by s.uid, s.seq)
    select x.* from ${table} x where x.uid not in (select uid from first_states)
    union all select r.* from first_states f ${revived(table)})`;
}

/** SQL: the row of a uid (SQL) as it was, or none. */
function rowAt(table: string, past: Past, uid: string): string {
  if (past.from === undefined) return `(select x.* from ${table} x where x.uid = ${uid})`;
  const found = later(table, past, `s.uid = ${uid}`);
  return `(select x.* from ${table} x where x.uid = ${uid} and not exists (select 1 from ${found})
    union all select r.* from (select s.before from ${found} order by s.seq limit 1) f ${revived(table)})`;
}

/** SQL: the row of a uid (SQL) of a table. */
type RowOf = (table: string, uid: string) => string;

const pastJoin = ({ table, as, uid, when }: RowReference, rowOf: RowOf): string => {
  const row = `lateral ${rowOf(table, uid)} ${as}`;
  return when === undefined ? `join ${row} on true` : `left join ${row} on ${when}`;
};

/** A table whose rows are these, with what they refer to as it was. No index has its order, and nothing its counts. */
function pastTable<R>(table: Table<R>, name: string, rowOf: RowOf): Table<R> {
  const { childOrders: _c, rootOrders: _r, counts: _n, ...rest } = table;
  const references = table.references ?? [];
  const joinAt = (sql: string) => {
    const reference = references.find((one) => joinOf(one) === sql);
    return reference ? pastJoin(reference, rowOf) : sql;
  };
  return {
    ...rest,
    name,
    joins: references.map((one) => pastJoin(one, rowOf)).join(" "),
    sort: Object.fromEntries(
      Object.entries(table.sort).map(([field, column]) => [
        field,
        column.join === undefined ? column : { ...column, join: joinAt(column.join) },
      ]),
    ),
    toItem: (row) => {
      const item = table.toItem(row);
      // It moves without a trace.
      if ("lastSeenTime" in item) item["lastSeenTime"] = undefined;
      return item;
    },
  };
}

/** Tables of some organizations as they were. */
export interface PastTables {
  readonly tableOf: <R>(table: Table<R>) => Table<R>;
  /** SQL: the rows of a table of this name; of two times, both of a record that differs. */
  readonly rowsOf: (table: string) => string;
}

/** Tables of some organizations as they were at one time. */
export function tablesAt(past: Past, organizations: readonly string[]): PastTables {
  const rowsOf = (table: string) => rowsAt(table, past, organizations);
  return {
    rowsOf,
    tableOf: (table) => pastTable(table, rowsOf(table.name), (name, uid) => rowAt(name, past, uid)),
  };
}

/** Tables of some organizations as they were at one time, with what was there only at another as it was then. */
export function tablesAtEither(past: Past, other: Past, organizations: readonly string[]): PastTables {
  // What is there at one of them alone has changed since the earlier.
  const earlier = past.time < other.time ? past : other;
  if (earlier.from === undefined) return tablesAt(past, organizations);
  const rowOf = (table: string, uid: string) => {
    const row = rowAt(table, past, uid);
    return `(select p.* from ${row} p union all
      select o.* from ${rowAt(table, other, uid)} o where not exists (select 1 from ${row} p))`;
  };
  const both = (table: string) => `select p.* from ${rowsAt(table, past, organizations)} p union all
    select o.* from (${changedSince(table, earlier, organizations)}) f
      cross join lateral ${rowAt(table, other, "f.uid")} o`;
  const onlyThen = (table: string) => `where not exists (select 1 from ${rowAt(table, past, "f.uid")} p)`;
  return {
    rowsOf: (table) => `(${both(table)})`,
    tableOf: (table) => pastTable(table, `(${both(table.name)} ${onlyThen(table.name)})`, rowOf),
  };
}

/** A table with only the row of a uid as it was. */
export const recordAt = <R>(table: Table<R>, past: Past, uid: string): Table<R> =>
  pastTable(table, rowAt(table.name, past, literal(uid)), (name, of) => rowAt(name, past, of));

/** True if a table has a row for which a condition holds. */
export async function hasRow(
  queries: Queries,
  { name }: Pick<Table, "name">,
  which: (bind: Bind) => string,
): Promise<boolean> {
  const { values, bind } = new Parameters();
  return (await queries.query(`select 1 from ${name} t where ${which(bind)} limit 1`, values)).length > 0;
}

/** Since when the log tells what was in each of these organizations; of "", what was anywhere. */
export async function horizonsOf(
  queries: Queries,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await queries.query<{ readonly uid: string; readonly since: Date }>(
    `select uid, max(since) + interval '1 millisecond' as since from (
       select '' as uid, applied_at as since from schema_migrations where id = '060-record-states'
       union all select uid, since from record_horizons where uid = '' or uid = any($1::text[])) h group by uid`,
    [organizations],
  );
  const own = new Map(rows.map(({ uid, since }) => [uid, since]));
  const everywhere = own.get("");
  if (!everywhere) throw new Error("there is no horizon");
  const since = (uid: string): Date => {
    const time = own.get(uid);
    return time && time > everywhere ? time : everywhere;
  };
  return new Map(organizations.map((uid) => [uid, since(uid)]));
}

/** States that one statement removes. */
const REMOVED = 5_000;

/**
 * Removes some of the states from before a time, which nobody can ask for any more.
 * @returns true if there may be more
 */
export async function removeStates(queries: Queries, before: Date): Promise<boolean> {
  await queries.query(
    `insert into record_horizons as h (uid, since) values ('', $1)
     on conflict (uid) do update set since = greatest(h.since, excluded.since)`,
    [before],
  );
  const old = await queries.query(
    `delete from record_states s using (
       select s.change, s.record_table, s.uid from record_changes c join record_states s on s.change = c.id
       where c.at < $1 order by c.at limit ${REMOVED}) o
     where (s.change, s.record_table, s.uid) = (o.change, o.record_table, o.uid) returning 1`,
    [before],
  );
  if (old.length === REMOVED) return true;
  await queries.query(
    `delete from record_changes c where c.at < $1 and not exists (select 1 from record_states s where s.change = c.id)`,
    [before],
  );
  return false;
}
