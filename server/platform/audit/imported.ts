import { parentOf } from "platform-contract/aip";
import { resources } from "platform-contract";

import { tableOf } from "../standard/children";
import type { PlacedDraft, RecordChange } from "../store/audit";
import type { Queries, Row } from "../store/database";
import { subjectsOf } from "./entries";
import { changedBy } from "./noted";

/** Tables with many records: the entry of the record above them tells of all of them. */
const MANY: readonly string[] = ["tags", "advisories"];

const ALONE = [...resources.map(({ collection }) => tableOf(collection)), "terms_acceptances"].filter(
  (table) => !MANY.includes(table),
);

/** Columns that no log may hold, or needs. */
const UNTOLD = ["sealed", "code_hash", "search"];

type Names = Readonly<Record<string, string>>;

/** Everything in an organization, and the people who have a role there, as rows without secrets. */
async function rowsOf(queries: Queries, organization: string, table: string): Promise<Row[]> {
  const people = `or t.parent is null and exists (select 1 from role_bindings b where b.identity_uid = t.uid
    and b.uid >= $1 and b.uid < $1 || '0')`;
  const found = await queries.query<{ row: Row }>(
    `select to_jsonb(t) - $2::text[] as row from ${table} t
     where t.uid >= $1 and t.uid < $1 || '0' ${table === "identities" ? people : ""} order by length(t.uid), t.uid`,
    [organization, UNTOLD],
  );
  return found.map(({ row }) => row);
}

async function namesIn(queries: Queries): Promise<Names> {
  const named = ["identities", "roles", "groups", "repos", "terms", "identity_providers"];
  const rows = await queries.query<{ uid: string; name: string }>(
    named.map((table) => `select uid, name from ${table}`).join(" union all "),
  );
  return Object.fromEntries(rows.map(({ uid, name }) => [uid, name]));
}

/** The names of what an entry refers to. */
function referred({ record, changes }: RecordChange, names: Names): Names {
  const values = changes.flatMap(({ after = "" }) => after.match(/[0-9a-f]{16,}(?:\/[0-9a-f]{16})*/g) ?? []);
  const uids = [record.uid, record.group ?? "", parentOf(record.uid), ...values];
  return Object.fromEntries(uids.flatMap((uid) => (names[uid] === undefined ? [] : [[uid, names[uid]]])));
}

/** The uids of the records of MANY, by the record above them. */
async function below(queries: Queries, organization: string): Promise<Map<string, string[]>> {
  const rows = await queries.query<{ parent: string; uids: string[] }>(
    MANY.map(
      (table) =>
        `select parent, array_agg(uid) as uids from ${table} where uid >= $1 and uid < $1 || '0' group by parent`,
    ).join(" union all "),
    [organization],
  );
  return new Map(rows.map(({ parent, uids }) => [parent, uids]));
}

/**
 * The entries of records that a command wrote into an organization, with times of their own: one for each record. A
 * repo's entry tells of its tags, and a group's of its advisories. People are in no group: theirs are in the log of the
 * organization.
 */
export async function importedEntries(queries: Queries, organization: string): Promise<PlacedDraft[]> {
  const names = await namesIn(queries);
  const more = await below(queries, organization);
  const drafts: PlacedDraft[] = [];
  for (const table of ALONE) {
    // oxlint-disable-next-line no-await-in-loop -- one query per table
    const rows = await rowsOf(queries, organization, table);
    if (rows.length === 0) continue;
    const note = { on: "INSERT", table, number: rows.length, rows: rows.map((row) => [null, row]) };
    for (const one of changedBy(JSON.stringify(note), names).records) {
      const group = one.record.group ?? organization;
      const inside = more.get(one.record.kind === "accountAssociations" ? "" : one.record.uid) ?? [];
      drafts.push({
        group,
        draft: {
          outcome: "OUTCOME_DONE",
          action: "import",
          record: { ...one.record, group },
          change: one.change,
          changes: one.changes,
          ...(inside.length > 0 && { relatedCount: inside.length }),
          names: referred(one, names),
          request: { transport: "command" },
          subjects: [...subjectsOf([one]), ...inside],
        },
      });
    }
  }
  return drafts;
}
