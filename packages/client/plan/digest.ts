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

/** `sha256:...` of a text. */
export async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256:${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The digest of records: `sha256:...`. Tags are not in it. */
export const digestOf = (records: Parameters<typeof canonical>[0]): Promise<string> =>
  sha256(canonical(records));
