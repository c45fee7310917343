import { by } from "platform-contract/order";
import { parentOf } from "platform-contract/aip";
import { shorten } from "~/ui/display/shorten";

import { fieldsBetween, plain, type SnapshotFieldChange } from "platform-client/snapshots/fields";
import {
  COLLECTIONS,
  kindIn,
  textAt,
  type Collection,
  type Contents,
  type SnapshotRow,
} from "platform-client/snapshots/format";

import { greatest, POWERS, powersIn, type Power } from "./power";

/** A record that differs. */
export interface SnapshotChange {
  readonly uid: string;
  readonly how: "added" | "removed" | "changed";
  readonly collection: Collection;
  /** How much the role of a grant can do, before or after; undefined for other kinds. */
  readonly power: Power | undefined;
  readonly name: string;
  /** Name of the parent record; "" if unknown. */
  readonly where: string;
  /** The fields that differ; for an added or removed record, all of its fields. */
  readonly fields: readonly SnapshotFieldChange[];
}

export interface Comparison {
  readonly changes: readonly SnapshotChange[];
  /** Kinds that are incomplete on either side, with the reason. They are not compared. */
  readonly left: readonly { readonly collection: Collection; readonly why: string }[];
  /** Number of records that are the same on both sides. */
  readonly same: number;
}

/** Name of a record; for a binding, who has which role. */
export function nameOf(row: SnapshotRow): string {
  const who = textAt(row["identity"], "email") || textAt(row["identity"], "name");
  const role = textAt(row["role"], "name");
  return who && role ? `${who}, ${role}` : textAt(row, "name") || textAt(row, "email") || shorten(row.uid);
}

const HOW = ["added", "removed", "changed"] as const;

/** What the two sides are called. */
export interface Sides {
  readonly before: string;
  readonly after: string;
}

/** Why a kind of a side can't be compared; undefined if it can. */
function whyNot({ missing, unknown = [] }: Contents, kind: Collection, side: string): string | undefined {
  if (unknown.includes(kind))
    return `${side} was taken before snapshots included ${kindIn(kind).plural}, so they are unknown in it.`;
  return missing[kind] === undefined ? undefined : `${side} doesn't include all of them: ${missing[kind]}`;
}

/** Kinds in the order of the changes, among those of the same power. */
const ORDER: readonly Collection[] = ["roleBindings", "roles", "groups", "identities", "repos", "tags"];

const rankOf = ({ power }: SnapshotChange): number =>
  power === undefined ? POWERS.length : POWERS.indexOf(power);

const textOf = (value: unknown): string => JSON.stringify(value);

/** Compares two readings of a scope. Grants come first, by how much their role can do; then kind by kind. */
export function compare(before: Contents, after: Contents, sides: Sides): Comparison {
  // Only groups and repos have other records below them.
  const names = new Map(
    [before, after].flatMap(({ records: { groups, repos } }) =>
      [...groups, ...repos].map((row) => [row.uid, nameOf(row)] as const),
    ),
  );
  const left = COLLECTIONS.flatMap((collection) => {
    const why = whyNot(before, collection, sides.before) ?? whyNot(after, collection, sides.after);
    return why === undefined ? [] : [{ collection, why }];
  });
  const [powersThen, powersNow] = [powersIn(before), powersIn(after)];
  let unchanged = 0;
  const compareKind = (collection: Collection): SnapshotChange[] => {
    const then = new Map(before.records[collection].map((row) => [row.uid, row]));
    const now = new Map(after.records[collection].map((row) => [row.uid, row]));
    return [...new Set([...then.keys(), ...now.keys()])].flatMap((uid): SnapshotChange[] => {
      const [was, is] = [then.get(uid), now.get(uid)];
      // Most records are the same text: that is much faster to see than the fields.
      const isSame = was !== undefined && is !== undefined && textOf(was) === textOf(is);
      const fields = isSame
        ? []
        : fieldsBetween(was ? plain(was, collection) : {}, is ? plain(is, collection) : {});
      if (was && is && fields.length === 0) {
        unchanged += 1;
        return [];
      }
      const how = was ? (is ? "changed" : "removed") : "added";
      const row = is ?? was ?? { uid };
      const power = greatest([
        ...(was ? powersThen(collection, was) : []),
        ...(is ? powersNow(collection, is) : []),
      ]);
      const where = names.get(parentOf(uid)) ?? "";
      return [{ uid, how, collection, power, name: nameOf(row), where, fields }];
    });
  };
  const changes = COLLECTIONS.filter((each) => !left.some(({ collection }) => collection === each))
    .flatMap(compareKind)
    .toSorted(
      by(
        rankOf,
        ({ collection }) => ORDER.indexOf(collection),
        ({ how }) => HOW.indexOf(how),
        ({ name }) => name,
        ({ uid }) => uid,
      ),
    );
  return { changes, left, same: unchanged };
}
