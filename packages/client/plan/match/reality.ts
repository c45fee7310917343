import { parentOf } from "platform-contract/aip";

import { COLLECTIONS, type Collection, type Contents, type SnapshotRow } from "../../snapshots/format";
import { joined, nameIn, saidOf, slot, slotOfBinding } from "./names";

/** What is there, to look up. */
export interface Reality {
  readonly byUid: ReadonlyMap<string, { readonly collection: Collection; readonly row: SnapshotRow }>;
  /** By `slot` or `slotOfBinding`. */
  readonly bySlot: ReadonlyMap<string, SnapshotRow>;
  /** The path of a record by names, from the scope. */
  pathOf(uid: string): string;
}

export function lookUp({ records }: Pick<Contents, "records">, scope: string): Reality {
  const byUid = new Map<string, { readonly collection: Collection; readonly row: SnapshotRow }>();
  const bySlot = new Map<string, SnapshotRow>();
  for (const collection of COLLECTIONS)
    for (const row of records[collection]) {
      byUid.set(row.uid, { collection, row });
      const place =
        collection === "roleBindings"
          ? slotOfBinding(parentOf(row.uid), saidOf(row, "identity").uid, saidOf(row, "role").uid)
          : slot(collection, parentOf(row.uid), nameIn(collection, row));
      bySlot.set(place, row);
    }
  const paths = new Map<string, string>();
  const pathOf = (uid: string): string => {
    const known = paths.get(uid);
    if (known !== undefined) return known;
    const found = byUid.get(uid);
    const path = found
      ? joined(
          uid === scope ? "" : pathOf(parentOf(uid)),
          nameIn(found.collection, found.row) || uid.slice(-16),
        )
      : "";
    paths.set(uid, path);
    return path;
  };
  return { byUid, bySlot, pathOf };
}
