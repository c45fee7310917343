import type { Outcome } from "~/contract/audit/entries";
import { rootOf } from "~/contract/aip";

import { now } from "./clock";
import type { Queries, Row } from "./database";
import { time, type Table } from "./table";

/** One field of a record, as JSON texts. */
export interface FieldChange {
  readonly field: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly hidden?: true;
  readonly cut?: true;
}

export interface AuditRecord {
  readonly kind: string;
  readonly uid: string;
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  /** Of a role binding. */
  readonly identityUid?: string | undefined;
  readonly roleUid?: string | undefined;
}

export interface RecordChange {
  readonly record: AuditRecord;
  readonly change: "created" | "updated" | "deleted";
  readonly changes: readonly FieldChange[];
}

/** An entry as it is stored and hashed; the database adds uid, time, sequence and hashes. */
export interface AuditDraft {
  readonly outcome: Outcome;
  readonly action: string;
  readonly actor?: Readonly<Record<string, string | undefined>> | undefined;
  readonly record?: AuditRecord | undefined;
  readonly change?: RecordChange["change"] | undefined;
  readonly changes?: readonly FieldChange[] | undefined;
  readonly related?: readonly RecordChange[] | undefined;
  readonly relatedCount?: number | undefined;
  readonly names?: Readonly<Record<string, string>> | undefined;
  readonly reason?: string | undefined;
  readonly request?: Readonly<Record<string, string | undefined>> | undefined;
  /** What the entry is about, besides its record. */
  readonly subjects?: readonly string[] | undefined;
}

/** An entry, and the group whose log it belongs to; undefined if it belongs to none. */
export interface PlacedDraft {
  readonly group: string | undefined;
  readonly draft: AuditDraft;
}

/** Rows that a transaction writes from now on leave neither entries nor events: they were not made here and now. */
export const unlogged = (queries: Queries): Promise<unknown> =>
  queries.query("select set_config('platform.events', 'off', true)");

/** The columns that repeat parts of an entry. */
export const columnsOf = ({ outcome, action, record, actor, request }: AuditDraft) => ({
  outcome,
  action,
  kind: record?.kind ?? "",
  actor_uid: actor?.["uid"] ?? null,
  address: request?.["address"] ?? null,
});

export const subjectsOf = ({ record, subjects = [] }: AuditDraft): string[] => [
  ...new Set([...(record && record.uid !== "" ? [record.uid] : []), ...subjects]),
];

/**
 * Appends entries to the logs of their organizations. Call it at the end of a transaction: it locks the logs, in the
 * same order in every transaction.
 */
export async function appendEntries(queries: Queries, drafts: readonly PlacedDraft[]): Promise<void> {
  const at = now();
  const chainOf = ({ group }: PlacedDraft) => (group === undefined ? "" : rootOf(group));
  for (const one of drafts.toSorted((a, b) => (chainOf(a) < chainOf(b) ? -1 : 1))) {
    const { group, draft } = one;
    const { outcome, action, kind, actor_uid, address } = columnsOf(draft);
    await queries.query("select append_audit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [
      chainOf(one),
      group ?? null,
      at,
      outcome,
      action,
      kind,
      actor_uid,
      address,
      subjectsOf(draft),
      JSON.stringify(draft),
    ]);
  }
}

const toItem = (row: Row) => {
  const { subjects: _, ...shown } = JSON.parse(String(row["entry"])) as AuditDraft;
  return {
    uid: row["uid"],
    createTime: time(row["created_at"]),
    ...shown,
    sequence: String(row["sequence"]),
    hash: row["hash"],
    previousHash: row["previous"],
  };
};

const OUTCOMES = ["OUTCOME_DONE", "OUTCOME_DENIED", "OUTCOME_REFUSED"];

const COLUMNS = "t.uid, t.entry, t.sequence, t.hash, t.previous, t.created_at";

const shared = {
  joins: "",
  columns: COLUMNS,
  sort: { created_at: { sql: "t.created_at", type: "time" } },
  filters: {
    actor: (uid, bind) => `t.actor_uid = ${bind(uid)}`,
    action: (action, bind) => `t.action = ${bind(action)}`,
    kind: (kind, bind) => `t.kind = ${bind(kind)}`,
    from: (from, bind) => `t.created_at >= ${bind(new Date(from))}`,
    to: (to, bind) => `t.created_at < ${bind(new Date(to))}`,
    outcome: (outcome, bind) => `t.outcome = ${bind(outcome)}`,
    address: (address, bind) => `t.address = ${bind(address)}`,
  },
  toItem,
} as const satisfies Partial<Table>;

const all: Table = {
  ...shared,
  name: "audit_entries",
  childOrders: ["created_at"],
  rootOrders: {
    fields: ["created_at"],
    split: "outcome",
    values: ({ outcome }) => (typeof outcome === "string" && outcome !== "" ? [outcome] : OUTCOMES),
  },
  counts: { table: "audit_counts", sum: () => "t.entries" },
};

/** Without the organizations' index: the one of the actor is better. */
const byActor: Table = { ...shared, name: "audit_entries" };

/** The entries about one record, by the index of what they are about. */
const about = (record: string): Table => ({
  ...shared,
  name: `(select s.uid, s.created_at, e.parent, e.outcome, e.action, e.kind, e.actor_uid, e.address, e.entry,
      e.sequence, e.hash, e.previous
    from audit_subjects s left join audit_entries e on e.uid = s.uid
    where s.record_uid = '${record.replaceAll(/[^0-9a-f/]/g, "")}')`,
});

/** The table that answers a query at a flat cost. */
export function auditTable({ record, actor }: Readonly<Record<string, unknown>>): Table {
  if (typeof record === "string" && record !== "") return about(record);
  return typeof actor === "string" && actor !== "" ? byActor : all;
}

export const auditEntries: Table = all;
