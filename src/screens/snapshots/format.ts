import * as z from "zod/mini";

import type { Kind } from "~/contract/kind";
import { kindOf } from "~/contract/kinds";
import { UID_PATTERN } from "~/contract/aip";

/** The `format` field that identifies a snapshot file. */
export const FORMAT = "platform-console-snapshot";
export const VERSION = 1;

/** The kinds of a snapshot, in the order of the file. */
export const COLLECTIONS = ["groups", "roles", "roleBindings", "identities", "repos"] as const;
export type Collection = (typeof COLLECTIONS)[number];

export const kindIn = (collection: Collection): Kind => kindOf(collection) as Kind;

/** A record as the API returned it, less the fields that a snapshot leaves out. */
export interface Row extends Readonly<Record<string, unknown>> {
  readonly uid: string;
}

/** Fields that move without a change of the record: every sign-in is seen. */
const LEFT_OUT: Readonly<Partial<Record<Collection, readonly string[]>>> = { identities: ["lastSeenTime"] };

/** What a snapshot keeps of a record of the API, or of an older file. */
export function recordOf(collection: Collection, row: Row): Row {
  const left = LEFT_OUT[collection];
  if (!left) return row;
  return Object.fromEntries(Object.entries(row).filter(([key]) => !left.includes(key))) as unknown as Row;
}

/** Records of a scope. Kinds that could not be read completely are listed in `missing`. */
export interface Contents {
  readonly records: Readonly<Record<Collection, readonly Row[]>>;
  /** Why a kind is incomplete. */
  readonly missing: Readonly<Partial<Record<Collection, string>>>;
}

export interface Snapshot extends Contents {
  /** The group that it covers; null for everything that was visible. */
  readonly scope: { readonly uid: string; readonly name: string } | null;
  /** When the reading started (RFC 3339). */
  readonly time: string;
  /** The address of the API. */
  readonly service: string;
}

const rows = z.array(z.looseObject({ uid: z.string().check(z.regex(UID_PATTERN, "is not a uid")) }));
const perKind = <T>(of: (kind: Collection) => T) =>
  Object.fromEntries(COLLECTIONS.map((kind) => [kind, of(kind)])) as Record<Collection, T>;

const head = z.looseObject({ format: z.string(), version: z.number() });
// Checked by hand: schema features that the API's schemas rarely use would add to the console's initial bundle.
const isScope = (value: unknown): value is Snapshot["scope"] => {
  if (value === null) return true;
  const { uid, name } = Object(value) as { uid?: unknown; name?: unknown };
  return typeof uid === "string" && UID_PATTERN.test(uid) && typeof name === "string";
};
const file = z.looseObject({
  scope: z.custom<Snapshot["scope"]>(isScope),
  time: z.custom<string>((value) => typeof value === "string" && !Number.isNaN(Date.parse(value))),
  service: z.string(),
  missing: z.array(z.object({ kind: z.string(), why: z.string() })),
  ...perKind(() => rows),
});

/** The file is not a snapshot, or not one that this console supports; the message says which. */
export class SnapshotProblem extends Error {}

/** Parses the text of a file. Throws a SnapshotProblem. */
export function readSnapshot(text: string): Snapshot {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new SnapshotProblem("This file isn't valid JSON, so it isn't a snapshot.");
  }
  const begins = head.safeParse(json);
  if (!begins.success || begins.data.format !== FORMAT)
    throw new SnapshotProblem("This file isn't a snapshot. Choose one downloaded from this page.");
  if (begins.data.version !== VERSION)
    throw new SnapshotProblem(
      `This snapshot has version ${begins.data.version}, but this console reads version ${VERSION}.`,
    );
  const read = file.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join(".") ?? "";
    throw new SnapshotProblem(
      `This snapshot is damaged${where === "" ? "" : ` at ${where}`}: it was changed or cut off.`,
    );
  }
  const { scope, time, service, missing } = read.data;
  const twice = COLLECTIONS.find((each) => {
    const some = read.data[each];
    return new Set(some.map(({ uid }) => uid)).size !== some.length;
  });
  if (twice !== undefined)
    throw new SnapshotProblem(`This snapshot is damaged at ${twice}: it contains a record twice.`);
  return {
    scope,
    time,
    service,
    records: perKind((kind) => read.data[kind].map((row) => recordOf(kind, row))),
    missing: Object.fromEntries(missing.map(({ kind, why }) => [kind, why])),
  };
}
