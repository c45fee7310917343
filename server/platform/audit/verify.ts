import { createHash } from "node:crypto";

import { rootOf } from "platform-contract/aip";

import { columnsOf, subjectsOf, type AuditDraft } from "../store/audit";
import type { Queries } from "../store/database";

export interface StoredEntry {
  readonly uid: string;
  readonly parent: string | null;
  readonly chain: string;
  readonly sequence: number;
  readonly outcome: string;
  readonly action: string;
  readonly kind: string;
  readonly actor_uid: string | null;
  readonly address: string | null;
  readonly entry: string;
  readonly previous: string;
  readonly hash: string;
  readonly created_at: Date;
}

/** A place where a chain is broken. */
export interface Fault {
  /** The organization; "" for the log of the service. */
  readonly chain: string;
  readonly sequence: number;
  readonly problem: string;
}

interface Link {
  readonly sequence: number;
  readonly hash: string;
}

/** Rows per statement. */
const AT_ONCE = 1_000;

const NOTHING: Link = { sequence: 0, hash: "" };

/** The hash of an entry, as `append_audit` (migration 023) computes it. */
export const hashOf = ({ previous, sequence, uid, created_at, entry }: StoredEntry): string =>
  createHash("sha256")
    .update([previous, sequence, uid, created_at.getTime(), entry].join("\n"))
    .digest("hex");

/** The entries of a chain after a number, in order. */
export async function* entriesAfter(
  queries: Queries,
  chain: string,
  sequence: number,
): AsyncGenerator<readonly StoredEntry[]> {
  for (let from = sequence; ;) {
    const rows = await queries.query<StoredEntry>(
      "select * from audit_entries where chain = $1 and sequence > $2 order by sequence limit $3",
      [chain, from, AT_ONCE],
    );
    if (rows.length === 0) return;
    yield rows;
    from = rows.at(-1)?.sequence ?? from;
  }
}

/** Every chain that has a head, a checkpoint or an entry. */
export async function chainsOf(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ chain: string }>(
    `select chain from audit_heads union select chain from audit_checkpoints
     union select distinct chain from audit_entries order by 1`,
  );
  return rows.map(({ chain }) => chain);
}

/** The columns that do not repeat their entry. */
function different(row: StoredEntry): string[] {
  const draft = JSON.parse(row.entry) as AuditDraft;
  const found: Readonly<Record<string, unknown>> = { ...row };
  const wrong = Object.entries(columnsOf(draft)).filter(([column, value]) => found[column] !== value);
  const place = row.parent === null ? "" : rootOf(row.parent);
  return [...wrong.map(([column]) => column), ...(place === row.chain ? [] : ["parent"])];
}

/** The entries of a page that are not found by what they are about. */
async function unfound(queries: Queries, rows: readonly StoredEntry[]): Promise<Set<string>> {
  const wanted = rows.flatMap((row) =>
    subjectsOf(JSON.parse(row.entry) as AuditDraft).map((subject) => ({
      subject,
      uid: row.uid,
      at: row.created_at,
    })),
  );
  const missing = await queries.query<{ uid: string }>(
    `select w.uid from unnest($1::text[], $2::timestamptz[], $3::text[]) as w (subject, at, uid)
     where not exists (select 1 from audit_subjects s
       where s.record_uid = w.subject and s.created_at = w.at and s.uid = w.uid)`,
    [wanted.map(({ subject }) => subject), wanted.map(({ at }) => at), wanted.map(({ uid }) => uid)],
  );
  return new Set(missing.map(({ uid }) => uid));
}

/** Where a row contradicts itself or the one before it. */
function faultsIn(row: StoredEntry, before: Link, lost: ReadonlySet<string>): string[] {
  const gap = row.sequence - before.sequence - 1;
  const columns = different(row);
  return [
    ...(gap > 0
      ? [`${gap === 1 ? "the entry" : `${gap} entries`} before it ${gap === 1 ? "is" : "are"} missing`]
      : []),
    ...(gap < 0 ? ["it should have been removed, or is there twice"] : []),
    ...(gap === 0 && row.previous !== before.hash ? ["it does not follow the entry before it"] : []),
    ...(hashOf(row) === row.hash ? [] : ["it was changed"]),
    ...(columns.length > 0 ? [`its columns were changed: ${columns.join(", ")}`] : []),
    ...(lost.has(row.uid) ? ["it is not found by what it is about"] : []),
  ];
}

/** Follows every chain from its checkpoint to its head. */
export async function verifyLog(
  queries: Queries,
): Promise<{ entries: number; chains: number; faults: readonly Fault[] }> {
  const chains = await chainsOf(queries);
  const faults: Fault[] = [];
  let entries = 0;
  for (const chain of chains) {
    // The head first: what is appended meanwhile comes after it.
    const [head] = await queries.query<Link>("select sequence, hash from audit_heads where chain = $1", [
      chain,
    ]);
    const [kept = NOTHING] = await queries.query<Link>(
      "select sequence, hash from audit_checkpoints where chain = $1",
      [chain],
    );
    let last: Link = kept;
    let atHead = kept;
    for await (const rows of entriesAfter(queries, chain, -1)) {
      const lost = await unfound(queries, rows);
      for (const row of rows) {
        for (const problem of faultsIn(row, last, lost))
          faults.push({ chain, sequence: row.sequence, problem });
        last = row;
        entries += 1;
        if (row.sequence <= (head?.sequence ?? 0)) atHead = row;
      }
    }
    if (!head) faults.push({ chain, sequence: last.sequence, problem: "the chain has lost its head" });
    else if (atHead.sequence !== head.sequence || atHead.hash !== head.hash)
      faults.push({ chain, sequence: head.sequence, problem: "the chain does not end at its head" });
  }
  return { entries, chains: chains.length, faults };
}
