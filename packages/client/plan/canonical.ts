import { plain } from "../snapshots/fields";
import { inOrder } from "../snapshots/file";
import type { Collection } from "../snapshots/format";
import { ORDER } from "./match/names";
import type { StateRow } from "./state";

/** The text that a digest of records is made from: the same for the same records, in whatever order they came. */
export const canonical = (records: Readonly<Record<Collection, readonly StateRow[]>>): string =>
  JSON.stringify(
    // Whoever pushes an image meanwhile does not stop a plan: tags are not in it.
    ORDER.map((kind) =>
      records[kind]
        .map((row) => JSON.stringify(inOrder({ ...plain({ uid: "", ...row }, kind), uid: row.uid ?? null })))
        .toSorted(),
    ),
  );
