import { by } from "~/contract/order";
import * as z from "zod/mini";

import type { Kind } from "~/contract/kind";
import { kindOf } from "~/contract/kinds";
import { UID_PATTERN } from "~/contract/aip";

/** The `format` field that identifies a snapshot file. */
const FORMAT = "platform-console-snapshot";
const VERSION = 1;

/** The kinds of a snapshot, in the order of the file. */
export const COLLECTIONS = ["groups", "roles", "roleBindings", "identities", "repos"] as const;
export type Collection = (typeof COLLECTIONS)[number];

export const kindIn = (collection: Collection): Kind => kindOf(collection) as Kind;

/** A record as the API returned it. */
export interface Row extends Readonly<Record<string, unknown>> {
  readonly uid: string;
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
const perKind = <T extends z.ZodMiniType>(schema: T) =>
  Object.fromEntries(COLLECTIONS.map((each) => [each, schema])) as Record<Collection, T>;

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
  ...perKind(rows),
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
  const { groups, roles, roleBindings, identities, repos } = read.data;
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
    records: { groups, roles, roleBindings, identities, repos },
    missing: Object.fromEntries(missing.map(({ kind, why }) => [kind, why])),
  };
}

/** Sorts object keys recursively, so that equal records serialize to equal text. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).toSorted(by(([key]) => key));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, inOrder(inner)]));
}

/** Number of rows to serialize per task, to keep the page responsive. */
const AT_ONCE = 1000;

/** Writes a header, then each kind sorted by uid, one record per line. Yields to the event loop between chunks. */
export async function snapshotFile(snapshot: Snapshot, signal: AbortSignal): Promise<Blob> {
  const { scope, time, service, records, missing } = snapshot;
  const why = COLLECTIONS.flatMap((kind) => (missing[kind] ? [{ kind, why: missing[kind] }] : []));
  const facts = {
    format: FORMAT,
    version: VERSION,
    scope,
    time,
    service,
    complete: why.length === 0,
    missing: why,
    counts: Object.fromEntries(COLLECTIONS.map((kind) => [kind, records[kind].length])),
  };
  const lines = Object.entries(facts).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`,
  );
  const parts = [`{\n${lines.join("")}`];
  for (const [index, kind] of COLLECTIONS.entries()) {
    const sorted = records[kind].toSorted(by(({ uid }) => uid));
    parts.push(`  ${JSON.stringify(kind)}: [`);
    for (let from = 0; from < sorted.length; from += AT_ONCE) {
      const some = sorted.slice(from, from + AT_ONCE);
      const texts = some.map(
        (row, at) => `${from + at === 0 ? "" : ","}\n    ${JSON.stringify(inOrder(row))}`,
      );
      parts.push(texts.join(""));
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
    }
    parts.push(sorted.length > 0 ? "\n  ]" : "]", index + 1 < COLLECTIONS.length ? ",\n" : "\n");
  }
  return new Blob([...parts, "}\n"], { type: "application/json" });
}
