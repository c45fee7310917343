import { by } from "platform-contract/order";
import type { Outcome } from "platform-contract/audit/entries";
import { rootOf } from "platform-contract/aip";

import { textOf } from "./audit-text";
import { forEach } from "../../background";
import { now } from "./clock";
import type { Arrival, Database, Queries, Row } from "./database";
import type { BrokenRail } from "./guard-rail-notes";
import { removeStates } from "./past";
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
  readonly guardRails?: readonly BrokenRail[] | undefined;
  readonly justification?: string | undefined;
  readonly request?: Readonly<Record<string, string | undefined>> | undefined;
  /** What the entry is about, besides its record. */
  readonly subjects?: readonly string[] | undefined;
}

/** An entry, and the group whose log it belongs to; undefined if it belongs to none. */
export interface PlacedDraft {
  readonly group: string | undefined;
  readonly draft: AuditDraft;
}

/** The transport of what the service does by itself, such as removing expired invites. */
export const BY_ITSELF = "service";

/** The request of an entry. */
export const requestOf = (arrival: Arrival | undefined) => ({
  ...(arrival && {
    id: arrival.requestId,
    address: arrival.address,
    ...(arrival.userAgent !== undefined && { userAgent: arrival.userAgent }),
  }),
  transport: arrival?.transport ?? BY_ITSELF,
});

export const justificationOf = ({ justification }: Partial<Arrival> = {}) =>
  justification === undefined ? {} : { justification };

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
  jti: actor?.["jti"] ?? null,
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
  const ordered = drafts.toSorted(by(chainOf));
  const columns = ordered.map(({ draft }) => columnsOf(draft));
  await queries.query(
    `select append_audit(d.chain, d.parent, $1, d.outcome, d.action, d.kind, d.actor, d.address,
       array(select jsonb_array_elements_text(d.subjects::jsonb)), d.entry, d.jti)
     from (select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::text[], $11::text[]) with ordinality
       as u (chain, parent, outcome, action, kind, actor, address, subjects, entry, jti, place) order by place) d`,
    [
      at,
      ordered.map(chainOf),
      ordered.map(({ group }) => group ?? null),
      columns.map(({ outcome }) => outcome),
      columns.map(({ action }) => action),
      columns.map(({ kind }) => kind),
      columns.map(({ actor_uid }) => actor_uid),
      columns.map(({ address }) => address),
      ordered.map(({ draft }) => JSON.stringify(subjectsOf(draft))),
      ordered.map(({ draft }) => textOf(draft)),
      columns.map(({ jti }) => jti),
    ],
  );
}

/** An entry as it was stored, of its text. */
export const readDraft = (entry: string): AuditDraft => JSON.parse(entry);

/** An entry in its API form: the fields between `createTime` and `sequence`, in their order, are the text that is hashed. */
export const toEntry = (row: Row) => ({
  uid: row["uid"],
  createTime: time(row["created_at"]),
  ...readDraft(String(row["entry"])),
  sequence: String(row["sequence"]),
  hash: row["hash"],
  previousHash: row["previous"],
});

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
    jti: (jti, bind) => `t.jti = ${bind(jti)}`,
  },
  toItem: toEntry,
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

/** Without the organizations' index: the one of the actor, or of the token, is better. */
const byActor: Table = { ...shared, name: "audit_entries" };

/** The entries about one record, by the index of what they are about. */
const about = (record: string): Table => ({
  ...shared,
  name: `(select s.uid, s.created_at, e.parent, e.outcome, e.action, e.kind, e.actor_uid, e.address, e.jti, e.entry,
      e.sequence, e.hash, e.previous
    from audit_subjects s join audit_entries e on e.uid = s.uid
    where s.record_uid = '${record.replaceAll(/[^0-9a-f/]/g, "")}')`,
});

/** The table that answers a query at a flat cost. */
export function auditTable({ record, actor, jti }: Readonly<Record<string, unknown>>): Table {
  if (typeof record === "string" && record !== "") return about(record);
  return [actor, jti].some((one) => typeof one === "string" && one !== "") ? byActor : all;
}

export const auditEntries: Table = all;

/** Entries that one transaction removes. */
const REMOVED = 1_000;

interface Old {
  readonly uid: string;
  readonly parent: string | null;
  readonly sequence: number;
  readonly entry: string;
  readonly hash: string;
  readonly created_at: Date;
}

/**
 * Removes the oldest entries of a chain, up to the first that is not older than `before`, and remembers the hash from
 * which the chain continues.
 * @returns true if there may be more
 */
async function removeSome(queries: Queries, chain: string, before: Date): Promise<boolean> {
  // Serializes processes that do the same, and waits for those that append.
  await queries.query("select 1 from audit_heads where chain = $1 for update", [chain]);
  const rows = await queries.query<Old>(
    `select uid, parent, sequence, entry, hash, created_at from audit_entries where chain = $1
     order by sequence limit $2`,
    [chain, REMOVED],
  );
  const end = rows.findIndex(({ created_at }) => created_at >= before);
  const old = end < 0 ? rows : rows.slice(0, end);
  const last = old.at(-1);
  if (!last) return false;
  const subjects = old.flatMap(({ uid, entry, created_at }) =>
    subjectsOf(readDraft(entry)).map((record) => ({ record, uid, created_at })),
  );
  await queries.query(
    `delete from audit_subjects s using (
       select * from unnest($1::text[], $2::timestamptz[], $3::text[]) as u (record, at, uid)
       -- People are found by the uids that they got later, too.
       union all select p.new, u.at, u.uid from unnest($1::text[], $2::timestamptz[], $3::text[]) as u (record, at, uid)
         join moved_people p on p.old = u.record) o
     where s.record_uid = o.record and s.created_at = o.at and s.uid = o.uid`,
    [
      subjects.map(({ record }) => record),
      subjects.map(({ created_at }) => created_at),
      subjects.map(({ uid }) => uid),
    ],
  );
  await queries.query(
    `update audit_counts c set entries = c.entries - o.n
     from (select p as uid, count(*) as n from unnest($1::text[]) as p where p is not null group by p) o
     where c.uid = o.uid`,
    [old.map(({ parent }) => parent)],
  );
  await queries.query("select set_config('platform.audit_retention', 'on', true)");
  await queries.query("delete from audit_entries where chain = $1 and sequence <= $2", [
    chain,
    last.sequence,
  ]);
  await queries.query(
    `insert into audit_checkpoints (chain, sequence, hash, created_at) values ($1, $2, $3, $4)
     on conflict (chain) do update set sequence = excluded.sequence, hash = excluded.hash,
       created_at = excluded.created_at`,
    [chain, last.sequence, last.hash, last.created_at],
  );
  return old.length === REMOVED;
}

/** Removes entries older than a number of days; organizations take turns. */
export async function sweepAudit(
  database: Database,
  days: number,
  turns: (organization: string, work: () => Promise<boolean>) => Promise<boolean | undefined>,
): Promise<void> {
  const before = new Date(now().getTime() - days * 86_400_000);
  while (await database.transaction((queries) => removeStates(queries, before)));
  const chains = await database.query<{ chain: string }>(
    "select chain from audit_heads h where exists (select 1 from audit_entries e where e.chain = h.chain and e.created_at < $1)",
    [before],
  );
  await forEach(chains, async ({ chain }) => {
    const some = () => database.transaction((queries) => removeSome(queries, chain, before));
    while (await turns(chain, some));
  });
}
