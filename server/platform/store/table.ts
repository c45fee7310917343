import { now } from "./clock";
import type { Queries, Row } from "./database";
import { Parameters, type Bind } from "./sql";

export interface SortColumn {
  /** Never null: a cursor cannot handle nulls. */
  readonly sql: string;
  /**
   * SQL that ascends where the column descends, with an index of its own. For what comes last in both directions, and for
   * many rows of one value: a page in the middle of them is then found by value and uid.
   */
  readonly descending?: string;
  readonly type: "text" | "time";
  /** The join that the column comes from, if it is not a column of `t`. */
  readonly join?: string;
}

export type Item = Record<string, unknown>;

/** A record that each row refers to. */
export interface RowReference {
  readonly table: string;
  /** Its name in statements. */
  readonly as: string;
  /** SQL: its uid. */
  readonly uid: string;
  /** SQL: only of rows for which this is true. Rows are there without the record, too. */
  readonly when?: string;
}

/** SQL: the join of a reference. */
export const joinOf = ({ table, as, uid, when }: RowReference): string =>
  when === undefined
    ? `join ${table} ${as} on ${as}.uid = ${uid}`
    : `left join ${table} ${as} on ${as}.uid = ${uid} and ${when}`;

export const joinsOf = (references: readonly RowReference[]): string => references.map(joinOf).join(" ");

/** How a resource is read: all that lists and reads need to know about it. `R` are the rows that `columns` select. */
export interface Table<R = Row> {
  /** Its rows have uid, parent, created_at, updated_at; statements call it `t`. */
  readonly name: string;
  /** Joins after `t` that some of the columns come from. */
  readonly joins: string;
  /** The same joins as data, for a table that can be read as it was. */
  readonly references?: readonly RowReference[];
  readonly columns: string;
  /** By sort field in snake_case; `uid` needs no entry. */
  readonly sort: Readonly<Record<string, SortColumn>>;
  /** Sort fields with an index for the children of one record, `(parent, field, uid)`. */
  readonly childOrders?: readonly string[];
  /**
   * Sort fields with an index for the contents of one organization, `(left(uid, 40), split, field, uid)`, and the
   * values of `split` that a query selects: each is walked separately.
   */
  readonly rootOrders?: {
    readonly fields: readonly string[];
    readonly split: string;
    readonly values: (query: Readonly<Record<string, unknown>>) => readonly string[];
  };
  /** SQL: size in bytes of a row's largest columns, if a record can be large. They are stored uncompressed. */
  readonly weight?: string;
  /** The list's own filters by parameter: return a condition, or undefined for a value that filters nothing. */
  readonly filters: Readonly<Record<string, (value: string, bind: Bind) => string | undefined>>;
  /** The same for filters with several values. */
  readonly listFilters?: Readonly<
    Record<
      string,
      (values: readonly string[], bind: Bind, query: Readonly<Record<string, unknown>>) => string | undefined
    >
  >;
  /** Conditions of every list, such as the default of a filter that was not given. */
  readonly always?: (query: Readonly<Record<string, unknown>>, bind: Bind) => readonly string[];
  /** Conditions that partition the rows: the matches of each are counted separately, by an index for that part only. */
  readonly countedApart?: (query: Readonly<Record<string, unknown>>) => readonly string[] | undefined;
  /**
   * A table with the number of records by parent, if there is one: keyed by the parent's uid, with the sum of the
   * columns that a query selects.
   */
  readonly counts?: {
    readonly table: string;
    readonly sum: (query: Readonly<Record<string, unknown>>) => string;
  };
  /** A group's own uid scope includes the group itself; other records are below groups. */
  readonly isGroups?: boolean;
  /** Its records have the uid of their group. */
  readonly keyedByParent?: boolean;
  /** The wire form: times as text, empty values still included. */
  toItem(row: R): Item;
}

/** Who writes a row, and the record before in its wire form; undefined for a new one. */
export interface Written {
  readonly caller: { readonly identities: readonly string[] };
  readonly previous: Item | undefined;
}

/** A table whose rows are records of the five standard methods; `I` is what callers write. */
export interface RecordTable<I, R = Row> extends Table<R> {
  /** The columns to write, apart from uid, parent and times: the other direction of `toItem`. JSON is passed as text. */
  toRow(input: I, written: Written): Row;
}

/** Columns of these names that hold text. */
export type Texts<Names extends string> = Readonly<Record<Names, string>>;

/** The columns of TIMES. */
export type Timed = Readonly<Record<"created_at" | "updated_at", Date>>;

export const TIMES = "t.created_at, t.updated_at";

export const time = (value: unknown): string | undefined =>
  value instanceof Date ? value.toISOString() : undefined;

export const times = (row: Timed): Item => ({
  createTime: time(row.created_at),
  updateTime: time(row.updated_at),
});

/** What every list can be ordered by, in addition to the uid; by name without regard to case (of ASCII). */
export const standardSort: Readonly<Record<string, SortColumn>> = {
  name: { sql: "lower(t.name)", type: "text" },
  created_at: { sql: "t.created_at", type: "time" },
  updated_at: { sql: "t.updated_at", type: "time" },
};

/** The record in its wire form; undefined if there is none. */
export async function readItem(queries: Queries, table: Table, uid: string): Promise<Item | undefined> {
  const { name, joins, columns } = table;
  const [row] = await queries.query(`select ${columns} from ${name} t ${joins} where t.uid = $1`, [uid]);
  return row && table.toItem(row);
}

/** The records at an organization and below it, in their wire form. */
export async function itemsBelow(queries: Queries, table: Table, organization: string): Promise<Item[]> {
  const { name, joins, columns } = table;
  const rows = await queries.query(
    `select ${columns} from ${name} t ${joins} where t.uid >= $1 and t.uid < $1 || '0'`,
    [organization],
  );
  return rows.map((row) => table.toItem(row));
}

/** Like readItem, but locks the row against changes and new references until the transaction ends. */
export async function lockItem(queries: Queries, table: Table, uid: string): Promise<Item | undefined> {
  // Lock first, then join: the joined rows may be newer if we waited for the lock.
  const rows = await queries.query(`select 1 from ${table.name} where uid = $1 for update`, [uid]);
  return rows.length === 0 ? undefined : readItem(queries, table, uid);
}

/** Keeps a row from being deleted while a new reference is written; false if it does not exist. */
export async function lockShared(queries: Queries, table: string, uid: string): Promise<boolean> {
  const rows = await queries.query(`select 1 from ${table} where uid = $1 for key share`, [uid]);
  return rows.length > 0;
}

/**
 * Serializes transactions that count records of a group before they add one, until each ends: otherwise several at once
 * would each count without the others. Call it before counting. Does not wait for writers that only reference the group.
 */
export async function countAlone(queries: Queries, group: string): Promise<void> {
  await queries.query("select 1 from groups where uid = $1 for no key update", [group]);
}

/** The uid of a row that has these values; undefined if there is none. Column names must be our own, never a caller's. */
export async function findUid(queries: Queries, table: string, columns: Row): Promise<string | undefined> {
  const { values, bind } = new Parameters();
  const equal = Object.entries(columns).map(([column, value]) => `${column} = ${bind(value)}`);
  const [found] = await queries.query<{ uid: string }>(
    `select uid from ${table} where ${equal.join(" and ")}`,
    values,
  );
  return found?.uid;
}

/**
 * Inserts rows with times of their own, all with the columns of the first; JSON is passed as a value, not as text. Skips
 * rows that are there already if `skips`.
 */
export async function insertRows(
  queries: Queries,
  table: string,
  rows: readonly Row[],
  { skips = false } = {},
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(", ");
  await queries.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)
     ${skips ? "on conflict do nothing" : ""}`,
    [JSON.stringify(rows)],
  );
}

/** Column names must be our own, never a caller's; JSON is passed as text. */
export async function insertRow(queries: Queries, table: string, columns: Row): Promise<void> {
  const at = now();
  const row = { ...columns, created_at: at, updated_at: at };
  const { values, bind } = new Parameters();
  const places = Object.values(row).map(bind);
  await queries.query(
    `insert into ${table} (${Object.keys(row).join(", ")}) values (${places.join(", ")})`,
    values,
  );
}

/** SQL: moves a time column to `at`, always forward: changes within the same millisecond remain distinguishable. */
export const later = (column: string, at: string): string =>
  `greatest(${at}::timestamptz(3), ${column} + interval '1 millisecond')`;

/** Only changes columns: the caller decides whether to move updated_at, since it knows whether the record changed. */
export async function updateRow(queries: Queries, table: string, uid: string, columns: Row): Promise<void> {
  const { values, bind } = new Parameters();
  const set = Object.entries(columns).map(([column, value]) => `${column} = ${bind(value)}`);
  await queries.query(`update ${table} set ${set.join(", ")} where uid = ${bind(uid)}`, values);
}

/** Moves updated_at; returns the updateTime. */
export async function touchRow(queries: Queries, table: string, uid: string): Promise<string | undefined> {
  const [row] = await queries.query(
    `update ${table} set updated_at = ${later("updated_at", "$2")} where uid = $1 returning updated_at`,
    [uid, now()],
  );
  return time(row?.["updated_at"]);
}

export const deleteRow = async (queries: Queries, table: string, uid: string): Promise<void> => {
  await queries.query(`delete from ${table} where uid = $1`, [uid]);
};
