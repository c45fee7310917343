import { isUid } from "platform-contract/aip";
import { isObject } from "platform-contract/values";

import { COLLECTIONS, perKind, versionOf, type Collection, type Snapshot } from "../snapshots/format";

/** A record of a state: as in a snapshot, or written by hand. */
export interface StateRow extends Readonly<Record<string, unknown>> {
  /** Absent in what is to be created. */
  readonly uid?: string;
  /** uid of the group that it is in, or its path by names (`acme/runtime`). Needed without a uid. */
  readonly parent?: string;
}

/** What an organization or folder is to be. */
export interface State {
  readonly scope: NonNullable<Snapshot["scope"]>;
  readonly records: Readonly<Record<Collection, readonly StateRow[]>>;
  /** Kinds that it says nothing of. */
  readonly without: readonly Collection[];
}

/** A state can't be used; the message says where and why. */
export class StateProblem extends Error {}

/** A name in a path by names: it can have slashes itself. */
export const segmentOf = (name: string): string => name.replaceAll("%", "%25").replaceAll("/", "%2F");

const isText = (value: unknown): value is string => typeof value === "string";

function rowOf(value: unknown, where: string): StateRow {
  if (!isObject(value)) throw new StateProblem(`${where} is no record: an object with fields.`);
  const { uid, parent } = value;
  if (uid !== undefined && !(isText(uid) && isUid(uid)))
    throw new StateProblem(`${where}.uid is not a uid. What is new has none.`);
  if (parent !== undefined && (!isText(parent) || parent === ""))
    throw new StateProblem(`${where}.parent is neither a uid nor a path by names.`);
  if (uid === undefined && parent === undefined)
    throw new StateProblem(`${where} has no uid, so it needs a parent: acme/runtime, for instance.`);
  return value as StateRow;
}

/** Reads the content of a snapshot file that may have been edited. Throws a StateProblem, or a SnapshotProblem. */
export function stateOf(content: unknown): State {
  const version = versionOf(content);
  const { scope, missing = [], ...lists } = Object(content) as Record<string, unknown>;
  const { uid, name } = Object(scope) as Record<string, unknown>;
  if (!isText(uid) || !isUid(uid) || !isText(name))
    throw new StateProblem("The state has no scope: take the snapshot of an organization or folder.");
  if (!Array.isArray(missing)) throw new StateProblem("missing is not a list.");
  const left = new Set(missing.map((one: unknown) => String(Object(one).kind)));
  const records = perKind((kind) => {
    const rows = lists[kind] ?? [];
    if (!Array.isArray(rows)) throw new StateProblem(`${kind} is not a list.`);
    const read = rows.map((row: unknown, index) => rowOf(row, `${kind}[${index}]`));
    const seen = new Set<string>();
    for (const { uid: own } of read) {
      if (own !== undefined && seen.has(own)) throw new StateProblem(`${kind} has ${own} twice.`);
      if (own !== undefined) seen.add(own);
    }
    return read;
  });
  const without = COLLECTIONS.filter((kind) => left.has(kind) || (version === 1 && kind === "tags"));
  return { scope: { uid, name }, records, without };
}
