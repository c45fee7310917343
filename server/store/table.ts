import { now } from "./clock";
import type { Queries, Row } from "./database";
import { Parameters, type Bind } from "./sql";

export interface SortColumn {
  /** Never null: an order with nulls in it has no cursor. */
  readonly sql: string;
  readonly type: "text" | "time";
  /** The join that the column comes from, if it is not one of `t`. */
  readonly join?: string;
}

export type Item = Record<string, unknown>;

/** How one resource lies in the database: all that lists, reads and writes need to know of it. */
export interface Table {
  /** Its rows have uid, parent, created_at, updated_at; statements call it `t`. */
  readonly name: string;
  /** Joins behind `t` that some of the columns come from. */
  readonly joins: string;
  readonly columns: string;
  /** By sort field in snake_case; `uid` needs no entry. */
  readonly sort: Readonly<Record<string, SortColumn>>;
  /** Sort fields by which an index of their own gives the children of one record, `(parent, field, uid)`. */
  readonly childOrders?: readonly string[];
  /**
   * Sort fields by which an index of their own gives what one organization holds, `(left(uid, 40), split, field, uid)`,
   * and the values of `split` that a query comes to: each is walked by itself.
   */
  readonly rootOrders?: {
    readonly fields: readonly string[];
    readonly split: string;
    readonly values: (query: Readonly<Record<string, unknown>>) => readonly string[];
  };
  /** SQL: bytes that the largest columns of a row take, where a record may be large. They are stored as they are. */
  readonly weight?: string;
  /** The list's own filters, by parameter: a condition, or undefined for a value that filters nothing. */
  readonly filters: Readonly<Record<string, (value: string, bind: Bind) => string | undefined>>;
  /** The same of filters that have several values. */
  readonly listFilters?: Readonly<
    Record<
      string,
      (values: readonly string[], bind: Bind, query: Readonly<Record<string, unknown>>) => string | undefined
    >
  >;
  /** Conditions that every list of it has, such as the default of a filter that was not given. */
  readonly always?: (query: Readonly<Record<string, unknown>>, bind: Bind) => readonly string[];
  /** Conditions of which each row meets one: by each a query is counted apart, by an index for those rows alone. */
  readonly countedApart?: (query: Readonly<Record<string, unknown>>) => readonly string[] | undefined;
  /**
   * Where it is kept how many records each parent has, when it is: a table of theirs with the parent's uid, and the sum
   * in a row of it that a query comes to.
   */
  readonly counts?: {
    readonly table: string;
    readonly sum: (query: Readonly<Record<string, unknown>>) => string;
  };
  /** A group is itself one of the records that its own uid scopes; other records lie under groups. */
  readonly isGroups?: boolean;
  /** Its records have the uids of the groups that they lie in. */
  readonly keyedByParent?: boolean;
  /** The wire form: text times, no sorting out of empty values yet. */
  readonly toItem: (row: Row) => Item;
}

export const TIMES = "t.created_at, t.updated_at";

export const time = (value: unknown): string | undefined =>
  value instanceof Date ? value.toISOString() : undefined;

export const times = (row: Row): Item => ({
  createTime: time(row["created_at"]),
  updateTime: time(row["updated_at"]),
});

/** What every list can be ordered by, beside the uid. */
export const standardSort: Readonly<Record<string, SortColumn>> = {
  name: { sql: "t.name", type: "text" },
  created_at: { sql: "t.created_at", type: "time" },
  updated_at: { sql: "t.updated_at", type: "time" },
};

/** The record in its wire form; undefined when there is none. */
export async function readItem(queries: Queries, table: Table, uid: string): Promise<Item | undefined> {
  const { name, joins, columns } = table;
  const [row] = await queries.query(`select ${columns} from ${name} t ${joins} where t.uid = $1`, [uid]);
  return row && table.toItem(row);
}

/** Like readItem; nobody changes or refers to the row until the transaction ends. */
export async function lockItem(queries: Queries, table: Table, uid: string): Promise<Item | undefined> {
  // First the lock, then the joins: those of a row that we waited for may be new.
  const rows = await queries.query(`select 1 from ${table.name} where uid = $1 for update`, [uid]);
  return rows.length === 0 ? undefined : readItem(queries, table, uid);
}

/** Keeps a row that is about to be referred to from going away; false when there is none. */
export async function lockShared(queries: Queries, table: string, uid: string): Promise<boolean> {
  const rows = await queries.query(`select 1 from ${table} where uid = $1 for key share`, [uid]);
  return rows.length > 0;
}

/** `columns` are ours, never a caller's; JSON goes in as text. */
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

/** SQL: a time column moved to `at`, always forward: a change within a millisecond is still seen as one. */
export const later = (column: string, at: string): string =>
  `greatest(${at}::timestamptz(3), ${column} + interval '1 millisecond')`;

/** Changes columns alone: whether that moves updated_at is up to who knows whether the record says anything else now. */
export async function updateRow(queries: Queries, table: string, uid: string, columns: Row): Promise<void> {
  const { values, bind } = new Parameters();
  const set = Object.entries(columns).map(([column, value]) => `${column} = ${bind(value)}`);
  await queries.query(`update ${table} set ${set.join(", ")} where uid = ${bind(uid)}`, values);
}

/** Moves updated_at; answers the updateTime. */
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
