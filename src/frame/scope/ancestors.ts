import { ancestorsOf, parentOf } from "platform-contract/aip";
import type { Group } from "platform-contract/iam/groups";
import { kindOf } from "platform-contract/kinds";
import type { ListAnswer } from "platform-contract/resource";

/** An ancestor group; `name` is undefined while unknown or if not readable. */
export interface Ancestor {
  readonly uid: string;
  readonly name: string | undefined;
}

/** The ancestors of a group, root first. */
export const ancestorsWithNames = (uid: string, names: ReadonlyMap<string, string>): Ancestor[] =>
  ancestorsOf(uid).map((above) => ({ uid: above, name: names.get(above) }));

export interface KnownGroups {
  readonly names: ReadonlyMap<string, string>;
  /** Uids that were already requested, so that one without a name is not requested again. */
  readonly asked: ReadonlySet<string>;
}

/** The names and uids in cached responses, by their query keys: `["groups", "list" | "get", input]`. */
export function readKnown(cached: Iterable<readonly [readonly unknown[], unknown]>): KnownGroups {
  const names = new Map<string, string>();
  const asked = new Set<string>();
  for (const [[, verb, input], data] of cached) {
    if (data === undefined) continue;
    const { pages }: { pages?: ListAnswer<Group>[] } = verb === "list" ? Object(data) : {};
    const groups: Group[] = verb === "get" ? [Object(data)] : (pages ?? []).flatMap(({ items }) => items);
    for (const { uid, name } of groups) if (name) names.set(uid, name);
    const { "uidp.ids": ids = [] }: { "uidp.ids"?: string[] } = pages ? Object(input) : {};
    for (const uid of ids) asked.add(uid);
  }
  return { names, asked };
}

/** Ancestors of these rows that are not known yet, sorted: the `uidp.ids` to request. */
export function unknownAbove(uids: readonly string[], { names, asked }: KnownGroups): string[] {
  const above = new Set(uids.flatMap(ancestorsOf));
  return [...above].filter((uid) => !names.has(uid) && !asked.has(uid)).toSorted();
}

/** Leaves out the groups at the beginning of a path that the user can't see. */
export function fromFirstNamed(places: readonly Ancestor[]): readonly Ancestor[] {
  const first = places.findIndex(({ name }) => name !== undefined);
  return first < 0 ? [] : places.slice(first);
}

/**
 * Where a record is, to read: the names of the groups above it, from the first that the user can see. A record of a
 * kind that isn't in a group, such as a tag, is where its parent is.
 */
export const placeText = (
  { collection, uid }: { readonly collection: string; readonly uid: string },
  names: ReadonlyMap<string, string>,
): string => {
  const kind = kindOf(collection);
  const at = kind && kind.parent !== "groups" ? parentOf(uid) : uid;
  return fromFirstNamed(ancestorsWithNames(at, names))
    .map(({ name = "…" }) => name)
    .join(" / ");
};

/** The path to a record as text, for a file: the names of its ancestors, or uids where a name is unknown. */
export const pathText = (uid: string, names: ReadonlyMap<string, string>): string =>
  ancestorsWithNames(uid, names)
    .map(({ uid: above, name = above }) => name)
    .join(" / ");
