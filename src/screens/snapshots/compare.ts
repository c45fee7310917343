import { parentOf } from "~/contract/aip";
import { shorten } from "~/ui/display/shorten";

import { COLLECTIONS, inOrder, type Collection, type Contents, type Row } from "./format";

/** One field of a record that is not what it was. */
export interface FieldChange {
  /** Dotted: `claimMatch.issuer`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A record that is not as it was. */
export interface Change {
  readonly uid: string;
  readonly how: "added" | "removed" | "changed";
  readonly collection: Collection;
  readonly name: string;
  /** What the record that it lies in is called, where that is known. */
  readonly where: string;
  /** Of a record that was added or removed: all that it holds. */
  readonly fields: readonly FieldChange[];
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** Kinds that are not whole on one of the sides, with why: nothing is said of them. */
  readonly left: readonly { readonly collection: Collection; readonly why: string }[];
  /** Records that are the same on both sides. */
  readonly same: number;
}

/** What the service says of a record and nobody changed: times, and what a binding repeats of other records. */
const IGNORED: Readonly<Record<Collection, readonly string[]>> = {
  groups: ["updateTime"],
  roles: ["updateTime"],
  roleBindings: ["updateTime", "identity", "role", "group"],
  identities: ["updateTime", "lastSeenTime"],
  repos: ["updateTime", "activeTags"],
};

const textAt = (value: unknown, key: string): string => {
  const found = (Object(value) as Record<string, unknown>)[key];
  return typeof found === "string" ? found : "";
};

/** What a record is called: a binding by who has which role. */
export function nameOf(row: Row): string {
  const who = textAt(row["identity"], "email") || textAt(row["identity"], "name");
  const role = textAt(row["role"], "name");
  return who && role ? `${who} as ${role}` : textAt(row, "name") || textAt(row, "email") || shorten(row.uid);
}

/** A binding is of an identity and a role, be they named beside what is known of them or only there. */
const plain = (row: Row, collection: Collection): Record<string, unknown> => {
  const repeated =
    collection === "roleBindings"
      ? {
          identityUid: row["identityUid"] ?? (textAt(row["identity"], "uid") || undefined),
          roleUid: row["roleUid"] ?? (textAt(row["role"], "uid") || undefined),
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

/** Of its own: a file may name members as every object has them. */
const own = (value: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

/** Every field that differs, as deep as both sides have objects there. */
function fieldsBetween(before: unknown, after: unknown, path = ""): FieldChange[] {
  if (same(before, after)) return [];
  if (!isMap(before) || !isMap(after)) return [{ path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return keys.flatMap((key) =>
    fieldsBetween(own(before, key), own(after, key), path === "" ? key : `${path}.${key}`),
  );
}

const HOW = ["added", "removed", "changed"] as const;

/** What was added, removed and changed between two readings of a scope: by kind, then by what happened, then by name. */
export function compare(before: Contents, after: Contents): Comparison {
  const names = new Map(
    [before, after].flatMap(({ records }) =>
      COLLECTIONS.flatMap((kind) => records[kind].map((row) => [row.uid, nameOf(row)] as const)),
    ),
  );
  const left = COLLECTIONS.flatMap((collection) => {
    const [then, now] = [before.missing[collection], after.missing[collection]];
    if (then !== undefined) return [{ collection, why: `The snapshot does not have all of them: ${then}` }];
    return now === undefined ? [] : [{ collection, why: now }];
  });
  let unchanged = 0;
  const changes = COLLECTIONS.filter((each) => !left.some(({ collection }) => collection === each)).flatMap(
    (collection) => {
      const then = new Map(before.records[collection].map((row) => [row.uid, row]));
      const now = new Map(after.records[collection].map((row) => [row.uid, row]));
      const found = [...new Set([...then.keys(), ...now.keys()])].flatMap((uid): Change[] => {
        const [was, is] = [then.get(uid), now.get(uid)];
        const fields = fieldsBetween(was ? plain(was, collection) : {}, is ? plain(is, collection) : {});
        if (was && is && fields.length === 0) {
          unchanged += 1;
          return [];
        }
        const how = was ? (is ? "changed" : "removed") : "added";
        const row = is ?? was ?? { uid };
        return [{ uid, how, collection, name: nameOf(row), where: names.get(parentOf(uid)) ?? "", fields }];
      });
      return found.toSorted(
        (one, other) =>
          HOW.indexOf(one.how) - HOW.indexOf(other.how) ||
          one.name.localeCompare(other.name) ||
          (one.uid < other.uid ? -1 : 1),
      );
    },
  );
  return { changes, left, same: unchanged };
}
