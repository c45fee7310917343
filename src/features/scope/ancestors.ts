import { ancestorsOf } from "~/contract/aip";
import type { Group } from "~/contract/iam/groups";
import type { ListAnswer } from "~/contract/resource";

/** A group above another one; the name is undefined while unknown or not readable. */
export interface Ancestor {
  readonly uid: string;
  readonly name: string | undefined;
}

/** Where a group lies: the groups above it, root first. */
export const ancestorsWithNames = (uid: string, names: ReadonlyMap<string, string>): Ancestor[] =>
  ancestorsOf(uid).map((above) => ({ uid: above, name: names.get(above) }));

export interface Known {
  readonly names: ReadonlyMap<string, string>;
  /** Uids that were asked for, so that one without a name is not asked for again. */
  readonly asked: ReadonlySet<string>;
}

/** What the answers in the cache know, by their query keys: `["groups", "list" | "get", input]`. */
export function readKnown(cached: Iterable<readonly [readonly unknown[], unknown]>): Known {
  const names = new Map<string, string>();
  const asked = new Set<string>();
  for (const [[, verb, input], data] of cached) {
    if (data === undefined) continue;
    const pages = verb === "list" ? (data as { pages?: ListAnswer<Group>[] }).pages : undefined;
    const groups = verb === "get" ? [data as Group] : (pages ?? []).flatMap(({ items }) => items);
    for (const { uid, name } of groups) if (name) names.set(uid, name);
    if (pages)
      for (const uid of (input as { "uidp.ids"?: string[] } | undefined)?.["uidp.ids"] ?? []) asked.add(uid);
  }
  return { names, asked };
}

/** Groups above these rows that nothing is known of yet, sorted: what to ask for by `uidp.ids`. */
export function unknownAbove(uids: readonly string[], { names, asked }: Known): string[] {
  const above = new Set(uids.flatMap(ancestorsOf));
  return [...above].filter((uid) => !names.has(uid) && !asked.has(uid)).toSorted();
}

/** The way to a record in words, for a file: the names of the groups above it, uids where a name is not known. */
export const pathText = (uid: string, names: ReadonlyMap<string, string>): string =>
  ancestorsWithNames(uid, names)
    .map(({ uid: above, name = above }) => name)
    .join(" / ");
