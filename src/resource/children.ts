import type { Kind } from "~/contract/kind";
import { kindsIn, wordsInside } from "~/contract/kinds";
import { formatQuantity } from "~/ui/display/numbers";

/** How many records of each kind are directly in a record, by collection; undefined: not known. */
export type ChildCounts = Readonly<Record<string, number | bigint | undefined>>;

export interface Children {
  readonly kind: Kind;
  readonly count: number | bigint;
}

/** "1 folder", "1,204 role bindings". */
export const quantityOf = ({ kind, count }: Children): string => formatQuantity(count, ...wordsInside(kind));

/**
 * What is in a record of a collection and blocks its deletion (contract B1), or is deleted with it. In the order in which to
 * delete it: a binding before the identity that it names (contract B38).
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

/** Whether every kind was counted, and nothing was found. */
export const isEmpty = (collection: string, counts: ChildCounts): boolean =>
  kindsIn(collection).every((kind) => Number(counts[kind.collection]) === 0);
