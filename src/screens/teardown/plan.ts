import { depthOf, isWithin, parentOf } from "~/contract/aip";
import type { Kind } from "~/contract/kind";
import { kinds as registry } from "~/contract/kinds";
import { shorten } from "~/ui/display/shorten";

/** What any record may say of itself, as far as a plan names it. */
export interface Row {
  readonly uid: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly identityUid?: string | undefined;
  readonly roleUid?: string | undefined;
  readonly identity?: { readonly uid?: string; readonly name?: string; readonly email?: string } | undefined;
  readonly role?: { readonly uid?: string; readonly name?: string } | undefined;
}

export type RowsByKind = Readonly<Record<string, readonly Row[] | undefined>>;

/** One record that has to be deleted, in its turn. */
export interface Step {
  readonly uid: string;
  readonly name: string;
  readonly kind: Kind;
  /** What the record that it lies in is called. */
  readonly where: string;
  /** It gives the caller's own access. */
  readonly own: boolean;
  /** Why the caller cannot delete it. */
  readonly refused?: string | undefined;
}

export interface Teardown {
  /** Every record that keeps the group from being deleted, and the group last. */
  readonly steps: readonly Step[];
  /** How many of each kind are below the group, in the order of their turns. */
  readonly counts: readonly (readonly [kind: Kind, count: number])[];
}

interface Facts {
  readonly group: Row;
  /** Below the group, on all levels. */
  readonly rows: RowsByKind;
  /** uids of role bindings of the caller. */
  readonly own: ReadonlySet<string>;
  /** Why the caller cannot delete a record of a kind. */
  readonly refusal: (kind: Kind, uid: string) => string | undefined;
  /** A copy may stand in for the registry. */
  readonly kinds?: readonly Kind[];
}

/** Kinds below a group that keep what they lie in from being deleted; the others go with it. */
export const blockingKinds = (kinds = registry): Kind[] =>
  kinds.filter(({ withParent }) => withParent !== "goes");

const nameOf = ({ uid, name, email, identity, role }: Row): string => {
  const who = identity?.email || identity?.name;
  return who && role?.name ? `${who} as ${role.name}` : name || email || shorten(uid);
};

/**
 * The order in which a group can be emptied and deleted. Kinds come in the reverse of the registry, where each stands after
 * what its records refer to and lie in; then the groups, the deepest first. The caller's own bindings stay until their group's
 * turn, and with them the roles that they give, so that nobody ends their own access before the work is done; so do terms.
 */
export function planTeardown({ group, rows, own, refusal, kinds = registry }: Facts): Teardown {
  const order = blockingKinds(kinds).toReversed();
  const below = new Map(order.map((kind) => [kind, rows[kind.collection] ?? []]));
  const names = new Map([group, ...below.values()].flat().map((row) => [row.uid, nameOf(row)]));
  const given = new Set(
    [...below.values()].flatMap((all) =>
      all.flatMap((row) => (own.has(row.uid) ? [row.roleUid, row.role?.uid] : [])),
    ),
  );
  // What was accepted in a subfolder alone can be deleted once that is gone.
  const documents = new Set(rows["terms"]?.map(({ uid }) => uid));
  const organization = parentOf(group.uid) === "";
  // An organization takes the caller's own bindings with it, unless they keep a role from being deleted.
  const goes = ({ uid, roleUid = "", role }: Row): boolean =>
    organization &&
    own.has(uid) &&
    parentOf(uid) === group.uid &&
    !isWithin(roleUid || (role?.uid ?? ""), group.uid);
  const isLate = ({ uid }: Row): boolean => own.has(uid) || given.has(uid) || documents.has(uid);
  const stays = (row: Row): boolean => !goes(row);
  const rowsOf = (kind: Kind): Row[] => (below.get(kind) ?? []).filter(stays);
  const stepsOf = (kind: Kind, some: readonly Row[]): Step[] =>
    some.map((row) => ({
      uid: row.uid,
      name: nameOf(row),
      kind,
      where: names.get(parentOf(row.uid)) ?? "",
      own: own.has(row.uid),
      refused: kind.access.delete
        ? refusal(kind, row.uid)
        : `${kind.plural.charAt(0).toUpperCase()}${kind.plural.slice(1)} cannot be deleted`,
    }));
  const groups = order.find(({ collection }) => collection === "groups") as Kind;
  const inside = order.filter((kind) => kind !== groups);
  const early = inside.flatMap((kind) =>
    stepsOf(
      kind,
      rowsOf(kind).filter((row) => !isLate(row)),
    ).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
  const late = inside.flatMap((kind) => stepsOf(kind, rowsOf(kind).filter(isLate)));
  const deepestFirst = rowsOf(groups).toSorted((a, b) => depthOf(b.uid) - depthOf(a.uid));
  const last = [...deepestFirst, group].flatMap((each) => [
    ...late.filter(({ uid }) => parentOf(uid) === each.uid),
    ...stepsOf(groups, [each]),
  ]);
  const steps = [...early, ...last];
  const counts = order.map(
    (kind) => [kind, steps.filter((step) => step.kind === kind && step.uid !== group.uid).length] as const,
  );
  return { steps, counts: counts.filter(([, count]) => count > 0) };
}
