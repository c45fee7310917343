import type { Kind } from "platform-contract/kind";
import { kindsIn, wordsInside } from "platform-contract/kinds";
import { formatQuantity } from "~/ui/display/numbers";

/** Number of a record's direct children by collection; undefined if unknown. */
export type ChildCounts = Readonly<Record<string, number | bigint | undefined>>;

export interface Children {
  readonly kind: Kind;
  readonly count: number | bigint;
}

/** "1 folder", "1,204 role bindings". */
export const quantityOf = ({ kind, count }: Children): string => formatQuantity(count, ...wordsInside(kind));

/**
 * The children that block a record's deletion, or are deleted with it. In deletion order: a binding
 * before the identity that it names.
 */
export const childrenIn = (
  collection: string,
  counts: ChildCounts,
  withParent: Kind["withParent"],
): Children[] =>
  kindsIn(collection)
    .toReversed()
    .flatMap((kind) => {
      const count = counts[kind.collection];
      const none = kind.withParent !== withParent || count === undefined || Number(count) === 0;
      return none ? [] : [{ kind, count }];
    });

/** Kinds without a count. */
export const uncountedIn = (collection: string, counts: ChildCounts): Kind[] =>
  kindsIn(collection).filter((kind) => counts[kind.collection] === undefined);

/** True if every kind was counted and every count is 0. */
export const isEmpty = (collection: string, counts: ChildCounts): boolean =>
  kindsIn(collection).every((kind) => Number(counts[kind.collection]) === 0);
