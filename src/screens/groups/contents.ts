import { formatQuantity } from "~/ui/display/numbers";

/** How many records of a kind lie directly in a group; undefined: not known. */
export type Count = number | bigint | undefined;

/** What a group holds, as far as the console can count it. */
export interface Contents {
  readonly folders: Count;
  readonly identities: Count;
  readonly roles: Count;
  readonly bindings: Count;
  readonly repos: Count;
}

export type ContentKind = keyof Contents;

/** One and many of them, in words. */
export const CONTENT_WORDS: Readonly<Record<ContentKind, readonly [one: string, many: string]>> = {
  folders: ["folder", "folders"],
  identities: ["identity", "identities"],
  roles: ["role", "roles"],
  bindings: ["role binding", "role bindings"],
  repos: ["repo", "repos"],
};

/** The order in which they are taken away: a binding before the identity that it names (contract B38). */
export const CONTENT_KINDS: readonly ContentKind[] = ["folders", "bindings", "identities", "roles", "repos"];

/** "1 folder", "1,204 role bindings". */
export const quantityOf = (kind: ContentKind, count: number | bigint): string =>
  formatQuantity(count, ...CONTENT_WORDS[kind]);

export interface Blocker {
  readonly kind: ContentKind;
  readonly count: number | bigint;
}

/** What is inside and keeps a group from being deleted: any child record does (contract B1). */
export const blockersOf = (contents: Contents): Blocker[] =>
  CONTENT_KINDS.flatMap((kind) => {
    const count = contents[kind];
    return count === undefined || Number(count) === 0 ? [] : [{ kind, count }];
  });

/** Whether every kind was counted, and nothing was found. */
export const isEmpty = (contents: Contents): boolean =>
  // What was not counted is NaN here, not nothing.
  CONTENT_KINDS.every((kind) => Number(contents[kind]) === 0);

/**
 * Whether an organization holds nothing but the caller's own bindings: then its deletion takes those with it, and with
 * them the caller's access. `own`: how many of its bindings are the caller's.
 */
export const holdsOnlyOwnBindings = (contents: Contents, own: number): boolean =>
  own > 0 && Number(contents.bindings) === own && isEmpty({ ...contents, bindings: 0 });

/**
 * Whether it is known that a group cannot be deleted, since something is inside that does not go with it. `own`: how many
 * of its bindings may be the caller's own, which go with an organization; undefined while that is not known.
 */
export const isFull = (contents: Contents, own: number | undefined): boolean =>
  blockersOf(contents).some(
    ({ kind, count }) => kind !== "bindings" || (own !== undefined && Number(count) > own),
  );
