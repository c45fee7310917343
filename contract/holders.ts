import { parentOf } from "./aip";
import { kindOf } from "./kinds";

interface Place {
  readonly collection: string;
  readonly uid: string;
}

/** The records between a record and its group, outermost first: for a tag, its repo. */
export function betweenGroupAnd({ collection, uid }: Place): Place[] {
  const { parent = "groups" } = kindOf(collection) ?? {};
  if (parent === "groups") return [];
  const above = { collection: parent, uid: parentOf(uid) };
  return [...betweenGroupAnd(above), above];
}

/** The uid of the group that contains a record; for a group, its own uid. "" at the root level. */
export function groupOf(record: Place): string {
  if (record.collection === "groups" || kindOf(record.collection)?.keyedByParent) return record.uid;
  const [outermost = record] = betweenGroupAnd(record);
  return parentOf(outermost.uid);
}
