import { parentOf } from "platform-contract/aip";
import { resources } from "platform-contract";

import { tableOf } from "../standard/children.table";
import type { PlacedDraft, RecordChange } from "../store/audit";
import type { Queries } from "../store/database";
import { namesIn, rowsOf, uidsByParent, type NamesByUid } from "./audit.table";
import { subjectsOf } from "./entries";
import { changedBy } from "./noted";

/** Tables with many records: the entry of the record above them tells of all of them. */
const MANY: readonly string[] = ["tags", "advisories"];

const ALONE = [...resources.map(({ collection }) => tableOf(collection)), "terms_acceptances"].filter(
  (table) => !MANY.includes(table),
);

/** The names of what an entry refers to. */
function referred({ record, changes }: RecordChange, names: NamesByUid): NamesByUid {
  const values = changes.flatMap(({ after = "" }) => after.match(/[0-9a-f]{16,}(?:\/[0-9a-f]{16})*/g) ?? []);
  const uids = [record.uid, record.group ?? "", parentOf(record.uid), ...values];
  return Object.fromEntries(uids.flatMap((uid) => (names[uid] === undefined ? [] : [[uid, names[uid]]])));
}

/**
 * The entries of records that a command wrote into an organization, with times of their own: one for each record. A
 * repo's entry tells of its tags, and a group's of its advisories. People are in no group: theirs are in the log of the
 * organization.
 */
export async function importedEntries(queries: Queries, organization: string): Promise<PlacedDraft[]> {
  const names = await namesIn(queries);
  const more = await uidsByParent(queries, organization, MANY);
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
