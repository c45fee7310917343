import { rootOf } from "platform-contract/aip";

import { verifyLog } from "../platform/audit/verify";
import type { Queries } from "../platform/store/database";

interface LoggedChange {
  readonly change?: "created" | "updated" | "deleted";
  readonly record: { readonly kind: string; readonly uid: string };
  readonly changes?: readonly { readonly field: string; readonly before?: string; readonly after?: string }[];
}

const KINDS: readonly string[] = ["groups", "identities"];
const FIELDS = ["name", "description"];

const valueOf = (text: string | undefined): string => (text === undefined ? "" : String(JSON.parse(text)));

/**
 * Where the log and the records differ: replays every entry about groups and identities. Each change has to begin with
 * what the one before it left, so a missing entry shows, and so does one about a write that did not happen.
 */
export async function unfaithful(queries: Queries): Promise<string[]> {
  const { faults } = await verifyLog(queries);
  const found = faults.map(({ chain, sequence, problem }) => `${chain} ${sequence}: ${problem}`);
  const known = new Map<string, Record<string, string>>();
  const kinds = new Map<string, string>();
  const gone = new Set<string>();
  const rows = await queries.query<{ entry: string }>(
    "select entry from audit_entries where outcome = 'OUTCOME_DONE' order by chain, sequence",
  );
  for (const { entry } of rows) {
    const { change, record, changes = [] }: LoggedChange = JSON.parse(entry);
    if (change === undefined || !KINDS.includes(record.kind)) continue;
    const { uid } = record;
    const before = known.get(uid);
    kinds.set(uid, record.kind);
    if (change === "created" ? before !== undefined || gone.has(uid) : before === undefined)
      // A seeded record was there before the log.
      if (change === "created" || gone.has(uid))
        found.push(`${uid} was ${change} twice, or after it was gone`);
    for (const { field, before: old } of changes)
      if (before && FIELDS.includes(field) && before[field] !== valueOf(old))
        found.push(`${uid}: an entry before "${field}" became something else is missing`);
    if (change === "deleted") {
      known.delete(uid);
      gone.add(uid);
      continue;
    }
    const next = { ...(before ?? { name: "", description: "" }) };
    for (const { field, after } of changes) if (FIELDS.includes(field)) next[field] = valueOf(after);
    if (before || change === "created") known.set(uid, next);
  }
  for (const kind of KINDS) {
    const records = await queries.query<{ uid: string; name: string; description: string }>(
      `select uid, name, description from ${kind}`,
    );
    const logged = [...known].filter(([uid]) => kinds.get(uid) === kind);
    const there = new Map(records.map((record) => [record.uid, record]));
    for (const [uid, { name, description }] of logged) {
      const record = there.get(uid);
      if (!record || record.name !== name || record.description !== description)
        found.push(`${uid} is ${JSON.stringify(record)} and was logged as ${name}, ${description}`);
    }
    for (const { uid, name } of records)
      if (gone.has(uid) || (!known.has(uid) && /^w\d/.test(name)))
        found.push(`${uid} (${name}, in ${rootOf(uid)}) has no entry`);
  }
  return found;
}
