import { createHash } from "node:crypto";

import { rootOf } from "platform-contract/aip";

import { columnsOf, readDraft, subjectsOf } from "../store/audit";
import type { Queries } from "../store/database";
import {
  chainsOf,
  entriesAfter,
  lastLink,
  missingSubjects,
  type Link,
  type StoredEntry,
} from "./audit.table";

/** A place where a chain is broken. */
export interface Fault {
  /** The organization; "" for the log of the service. */
  readonly chain: string;
  readonly sequence: number;
  readonly problem: string;
}

const NOTHING: Link = { sequence: 0, hash: "" };

/** The hash of an entry, as `append_audit` (migration 023) computes it. */
export const hashOf = ({ previous, sequence, uid, created_at, entry }: StoredEntry): string =>
  createHash("sha256")
    .update([previous, sequence, uid, created_at.getTime(), entry].join("\n"))
    .digest("hex");

/** The columns that do not repeat their entry. */
function different(row: StoredEntry): string[] {
  const draft = readDraft(row.entry);
  const found: Readonly<Record<string, unknown>> = { ...row };
  const wrong = Object.entries(columnsOf(draft)).filter(([column, value]) => found[column] !== value);
  const place = row.parent === null ? "" : rootOf(row.parent);
  return [...wrong.map(([column]) => column), ...(place === row.chain ? [] : ["parent"])];
}

/** The entries of a page that are not found by what they are about. */
async function unfound(queries: Queries, rows: readonly StoredEntry[]): Promise<ReadonlySet<string>> {
  const wanted = rows.flatMap((row) =>
    subjectsOf(readDraft(row.entry)).map((subject) => ({
      subject,
      uid: row.uid,
      at: row.created_at,
    })),
  );
  return missingSubjects(queries, wanted);
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
    const head = await lastLink(queries, "audit_heads", chain);
    const kept = (await lastLink(queries, "audit_checkpoints", chain)) ?? NOTHING;
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
