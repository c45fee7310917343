import { by } from "platform-contract/order";
import { depthOf, isWithin, parentOf } from "platform-contract/aip";
import type { Kind } from "platform-contract/kind";
import { kinds as registry } from "platform-contract/kinds";
import { shorten } from "~/ui/display/shorten";

import type { Step } from "../step-table";

/** A record of any kind, with the fields that a plan uses. */
export interface TeardownRow {
  readonly uid: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly identityUid?: string | undefined;
  readonly roleUid?: string | undefined;
  readonly identity?: { readonly uid?: string; readonly name?: string; readonly email?: string } | undefined;
  readonly role?: { readonly uid?: string; readonly name?: string } | undefined;
}

export type RowsByKind = Readonly<Record<string, readonly TeardownRow[] | undefined>>;

/** The deletion of one record. */
export interface TeardownStep extends Step {
  /** True if it grants the caller's own access. */
  readonly own: boolean;
  /** Why the caller cannot delete it. */
  readonly refused?: string | undefined;
}

export interface Teardown {
  /** Every record that blocks the deletion of the groups, then the groups themselves. */
  readonly steps: readonly TeardownStep[];
  /** Counts per kind below the groups, in order of deletion. */
  readonly counts: readonly (readonly [kind: Kind, count: number])[];
}

interface Facts {
  /** None is within another. */
  readonly groups: readonly TeardownRow[];
  /** Records below the groups, at all levels. */
  readonly rows: RowsByKind;
  /** uids of role bindings of the caller. */
  readonly own: ReadonlySet<string>;
  /** Names of the groups above, as far as the caller can see them. */
  readonly above?: ReadonlyMap<string, string>;
  /** Why the caller cannot delete a record of a kind. */
  readonly refusal: (kind: Kind, uid: string) => string | undefined;
  /** Tests can pass a copy of the registry. */
  readonly kinds?: readonly Kind[];
}

/** Kinds whose records block the deletion of their parent. Other kinds are deleted with it. */
export const blockingKinds = (kinds = registry): Kind[] =>
  kinds.filter(({ withParent }) => withParent !== "goes");

export const nameOf = ({ uid, name, email, identity, role }: TeardownRow): string => {
  const who = identity?.email || identity?.name;
  return who && role?.name ? `${who}, ${role.name}` : name || email || shorten(uid);
};

/**
 * Returns the order in which to empty and delete groups: kinds in reverse registry order, where each kind comes after
 * those that its records refer to or are in; then the groups, deepest first. The caller's own bindings and their roles
 * stay until just before their group, so that the caller doesn't lose access before the work is done; so do terms.
 */
export function planTeardown({
  groups: roots,
  rows,
  own,
  above,
  refusal,
  kinds = registry,
}: Facts): Teardown {
  const order = blockingKinds(kinds).toReversed();
  const below = new Map(order.map((kind) => [kind, rows[kind.collection] ?? []]));
  const names = new Map([roots, ...below.values()].flat().map((row) => [row.uid, nameOf(row)]));
  const given = new Set(
    [...below.values()].flatMap((all) =>
      all.flatMap((row) => (own.has(row.uid) ? [row.roleUid, row.role?.uid] : [])),
    ),
  );
  // Terms that only a subfolder accepted can be deleted once that is gone.
  const documents = new Set(rows["terms"]?.map(({ uid }) => uid));
  const isRoot = (uid: string): boolean => roots.some((root) => root.uid === uid);
  // The caller's own bindings are deleted with an organization, unless they block the deletion of a role.
  const goes = ({ uid, roleUid = "", role }: TeardownRow): boolean =>
    own.has(uid) &&
    parentOf(parentOf(uid)) === "" &&
    isRoot(parentOf(uid)) &&
    !isWithin(roleUid || (role?.uid ?? ""), parentOf(uid));
  const isLate = ({ uid }: TeardownRow): boolean => own.has(uid) || given.has(uid) || documents.has(uid);
  const stays = (row: TeardownRow): boolean => !goes(row);
  const rowsOf = (kind: Kind): TeardownRow[] => (below.get(kind) ?? []).filter(stays);
  const stepsOf = (kind: Kind, some: readonly TeardownRow[]): TeardownStep[] =>
    some.map((row) => ({
      uid: row.uid,
      name: nameOf(row),
      kind,
      where: names.get(parentOf(row.uid)) ?? above?.get(parentOf(row.uid)) ?? shorten(parentOf(row.uid)),
      own: own.has(row.uid),
      refused: kind.access.delete
        ? refusal(kind, row.uid)
        : `${kind.plural.charAt(0).toUpperCase()}${kind.plural.slice(1)} can't be deleted`,
    }));
  const groups = order.find(({ collection }) => collection === "groups") as Kind;
  const inside = order.filter((kind) => kind !== groups);
  const early = inside.flatMap((kind) =>
    stepsOf(
      kind,
      rowsOf(kind).filter((row) => !isLate(row)),
    ).toSorted(
      by(
        ({ name }) => name,
        ({ uid }) => uid,
      ),
    ),
  );
  const late = inside.flatMap((kind) => stepsOf(kind, rowsOf(kind).filter(isLate)));
  const deepestFirst = rowsOf(groups).toSorted((a, b) => depthOf(b.uid) - depthOf(a.uid));
  const last = [...deepestFirst, ...roots].flatMap((each) => [
    ...late.filter(({ uid }) => parentOf(uid) === each.uid),
    ...stepsOf(groups, [each]),
  ]);
  const steps = [...early, ...last];
  const counts = order.map(
    (kind) => [kind, steps.filter((step) => step.kind === kind && !isRoot(step.uid)).length] as const,
  );
  return { steps, counts: counts.filter(([, count]) => count > 0) };
}
