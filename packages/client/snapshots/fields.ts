import { inOrder } from "./file";
import { textAt, type Collection, type SnapshotRow } from "./format";

/** One field of a record that differs. */
export interface SnapshotFieldChange {
  /** Dotted: `claimMatch.issuer`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that change without an edit of the record: times, and copies of other records in a binding. */
const IGNORED: Readonly<Record<Collection, readonly string[]>> = {
  groups: ["updateTime"],
  roles: ["updateTime"],
  roleBindings: ["updateTime", "identity", "role", "group"],
  identities: ["updateTime"],
  repos: ["updateTime", "activeTags"],
  tags: [],
};

/** The uid of a binding's role: some responses have it only in the embedded role. */
export const roleUidIn = (binding: SnapshotRow): string =>
  textAt(binding, "roleUid") || textAt(binding["role"], "uid");

/** Normalizes a record. A binding can have the uids of its identity and role only in the embedded records. */
export const plain = (row: SnapshotRow, collection: Collection): Record<string, unknown> => {
  const repeated =
    collection === "roleBindings"
      ? {
          identityUid: row["identityUid"] ?? (textAt(row["identity"], "uid") || undefined),
          roleUid: roleUidIn(row) || undefined,
        }
      : {};
  const kept = Object.entries({ ...row, ...repeated }).filter(
    ([key, value]) =>
      key !== "uid" && value !== null && value !== undefined && !IGNORED[collection].includes(key),
  );
  return Object.fromEntries(kept);
};

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

/** Reads only own properties: a file can contain keys such as "constructor". */
const own = (value: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns every field that differs. Recurses where both sides are objects. */
export function fieldsBetween(before: unknown, after: unknown, path = ""): SnapshotFieldChange[] {
  if (same(before, after)) return [];
  if (!isMap(before) || !isMap(after)) return [{ path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return keys.flatMap((key) =>
    fieldsBetween(own(before, key), own(after, key), path === "" ? key : `${path}.${key}`),
  );
}
