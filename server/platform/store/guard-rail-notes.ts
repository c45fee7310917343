import type { GUARD_RAIL_EFFECTS } from "platform-contract/iam/guard-rail-effects";

import type { Queries } from "./database";

/** A guard rail that a change broke, for the entry of the log. */
export interface BrokenRail {
  readonly guardRail: string;
  readonly sentence: string;
  readonly effect: (typeof GUARD_RAIL_EFFECTS)[number];
  /** Of access that was left out. */
  readonly identity?: string | undefined;
  readonly role?: string | undefined;
}

/** An entry holds no more: a directory can push thousands of people at once. */
const MOST = 100;

const notes = new WeakMap<Queries, BrokenRail[]>();

/** Notes what the entry of this transaction tells of guard rails, although the transaction goes on. */
export function noteBroken(queries: Queries, broken: readonly BrokenRail[]): void {
  const noted = notes.get(queries) ?? [];
  notes.set(queries, [...noted, ...broken].slice(0, MOST));
}

/** What was noted since the last time: a connection can serve one transaction after another. */
export function takeBroken(queries: Queries): readonly BrokenRail[] {
  const noted = notes.get(queries) ?? [];
  notes.delete(queries);
  return noted;
}
