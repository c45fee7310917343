import { parentOf } from "platform-contract/aip";

import { fieldsBetween, plain } from "../../snapshots/fields";
import { textAt, type Collection, type SnapshotRow } from "../../snapshots/format";
import { joined, keyOf } from "../match/names";
import type { Matches } from "../match/records";
import type { LeftAlone } from "../planned";

/** Tags are pushed, with the image that they name: differences are only said. */
export function tagsSaid(
  { state, byUid }: Matches,
  tags: readonly SnapshotRow[],
  isManaged: (collection: Collection, path: string) => boolean,
): LeftAlone[] {
  const keyIn = (repo: string, row: Readonly<Record<string, unknown>>) =>
    JSON.stringify([repo, textAt(row, "name")]);
  const there = new Map(tags.map((row) => [keyIn(parentOf(row.uid), row), row]));
  return state.records.tags.flatMap((row): LeftAlone[] => {
    const repo = byUid.get(parentOf(row.uid ?? ""));
    // It goes with its repo, or that is not compared.
    if (!repo) return [];
    const name = textAt(row, "name");
    const path = joined(repo.path, name);
    const found = there.get(keyIn(keyOf(repo.target), row));
    if (!isManaged("tags", path)) return [];
    if (!found) return [{ collection: "tags", path, why: "it isn't there: tags are pushed, not planned" }];
    const fields = fieldsBetween(plain(found, "tags"), plain({ uid: "", ...row }, "tags"));
    if (fields.length === 0) return [];
    const why = `${fields.map((field) => field.path).join(", ")} differs: tags are pushed, not planned`;
    return [{ collection: "tags", path, why }];
  });
}
