import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { roles } from "platform-contract/iam/roles";
import { INHERITED, repos, SYNC_OUTPUT } from "platform-contract/registry/repos";
import { isBlank, isObject, sameValue, type Values } from "platform-contract/values";

import { fieldsBetween, type SnapshotFieldChange } from "../snapshots/fields";
import type { Collection } from "../snapshots/format";

/** The kinds that a plan writes. */
export const WRITTEN = { groups, identities, roles, roleBindings, repos } as const;

/** Sets, whatever order they are written in. */
const SETS = new Set(["capabilities"]);

const without = (value: Values, keys: readonly string[]): Values =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

/** What callers can set of a record, comparable: without what the service adds to it. */
export function settableOf(collection: Collection, row: Values): Record<string, unknown> {
  if (collection === "tags") return {};
  const { settable } = WRITTEN[collection];
  const sync = row["sync_config"];
  const isCopy = collection === "repos" && isObject(sync) && !isBlank(sync);
  const kept = Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
    if (!Object.hasOwn(settable, key) || (isCopy && INHERITED.some((one) => one === key))) return [];
    if (key === "sync_config" && isObject(value)) return [[key, without(value, SYNC_OUTPUT)]];
    return [[key, SETS.has(key) && Array.isArray(value) ? value.toSorted() : value]];
  });
  return Object.fromEntries(kept);
}

export const isNothing = (value: unknown): boolean =>
  isBlank(value) || value === false || (typeof value === "string" && value.endsWith("_UNSPECIFIED"));

/** The fields that differ; those that are unset are the same as those that have their default. */
export const changesBetween = (before: Values, after: Values): SnapshotFieldChange[] =>
  fieldsBetween(before, after).filter(
    (change) =>
      !(isNothing(change.before) && isNothing(change.after)) && !sameValue(change.before, change.after),
  );

/** What the operator says of a group: who creates or changes it can't. Folders have the kind of their organization. */
export const OPERATORS = ["verified", "kind"];

/** What makes a record as it is meant to be: what only the operator sets stays where nothing is said of it. */
export const changesTo = (collection: Collection, before: Values, meant: Values): SnapshotFieldChange[] =>
  changesBetween(before, meant).filter(
    ({ path, after }) => collection !== "groups" || !OPERATORS.includes(path) || !isNothing(after),
  );
