import * as z from "zod/mini";

import type { Kind } from "platform-contract/kind";
import { KINDS } from "platform-contract/kinds";
import { UID_PATTERN } from "platform-contract/aip";

/** The `format` field that identifies a snapshot file. */
export const FORMAT = "platform-console-snapshot";
export const VERSION = 2;
/** Version 1 had no tags. */
const VERSIONS: readonly number[] = [1, VERSION];

/** The kinds of a snapshot, in the order of the file. */
export const COLLECTIONS = ["groups", "roles", "roleBindings", "identities", "repos", "tags"] as const;
export type Collection = (typeof COLLECTIONS)[number];

export const kindIn = (collection: Collection): Kind => KINDS[collection];

/** A record as the API returned it, less the fields that a snapshot leaves out. */
export interface SnapshotRow extends Readonly<Record<string, unknown>> {
  readonly uid: string;
}

/** Text of a member that may not be there, or not be text. */
export const textAt = (value: unknown, key: string): string => {
  const found: unknown = Object(value)[key];
  return typeof found === "string" ? found : "";
};

/** What a snapshot keeps of a tag: to push the same image again is no change. */
const OF_TAGS: readonly string[] = ["deprecated", "digest", "name", "uid"];

/** What a snapshot keeps of a record of the API, or of an older file. */
export function recordOf(collection: Collection, row: SnapshotRow): SnapshotRow {
  const kept = (key: string): boolean =>
    collection === "tags"
      ? OF_TAGS.includes(key)
      : // Every sign-in moves it, without a change of the identity.
        collection !== "identities" || key !== "lastSeenTime";
  return { ...Object.fromEntries(Object.entries(row).filter(([key]) => kept(key))), uid: row.uid };
}

/** Records of a scope. Kinds that could not be read completely are listed in `missing`. */
export interface Contents {
  readonly records: Readonly<Record<Collection, readonly SnapshotRow[]>>;
  /** Why a kind is incomplete. */
  readonly missing: Readonly<Partial<Record<Collection, string>>>;
  /** Kinds that an older file says nothing of. */
  readonly unknown?: readonly Collection[];
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
export const perKind = <T>(of: (kind: Collection) => T) =>
  // The type of `fromEntries` forgets which keys there are.
  Object.fromEntries(COLLECTIONS.map((kind) => [kind, of(kind)])) as Record<Collection, T>;

const head = z.looseObject({ format: z.string(), version: z.number() });
// Checked by hand: schema features that the API's schemas rarely use would add to the console's initial bundle.
const isScope = (value: unknown): value is Snapshot["scope"] => {
  if (value === null) return true;
  const { uid, name }: { uid?: unknown; name?: unknown } = Object(value);
  return typeof uid === "string" && UID_PATTERN.test(uid) && typeof name === "string";
};
const isKind = (value: unknown): value is Collection => COLLECTIONS.some((kind) => kind === value);
const file = z.looseObject({
  scope: z.custom<Snapshot["scope"]>(isScope),
  time: z.custom<string>((value) => typeof value === "string" && !Number.isNaN(Date.parse(value))),
  service: z.string(),
  missing: z.array(z.object({ kind: z.custom<Collection>(isKind), why: z.string() })),
  counts: z.looseObject({}),
  ...perKind(() => rows),
});

/** A text is no snapshot; the message says why, for whoever gave it. */
export class SnapshotProblem extends Error {}

const damaged = (where: string, why = "it was changed or cut off"): SnapshotProblem =>
  new SnapshotProblem(`This snapshot is damaged${where === "" ? "" : ` at ${where}`}: ${why}.`);

/** A file begins with its format, so that a part of one is told from other text. */
const isCutOff = (text: string): boolean => text.slice(0, 300).includes(`"${FORMAT}"`);

function parse(text: string): unknown {
  if (text.trim() === "") throw new SnapshotProblem("This file is empty.");
  try {
    return JSON.parse(text);
  } catch {
    throw isCutOff(text)
      ? damaged("", "its end is missing, or it was edited")
      : new SnapshotProblem("This file isn't valid JSON, so it isn't a snapshot.");
  }
}

/** The version of what a file has, which may be a snapshot. Throws a SnapshotProblem. */
export function versionOf(content: unknown): number {
  const begins = head.safeParse(content);
  if (!begins.success || begins.data.format !== FORMAT)
    throw new SnapshotProblem("This file isn't a snapshot.");
  const { version } = begins.data;
  if (!VERSIONS.includes(version))
    throw new SnapshotProblem(
      version > VERSION
        ? `This snapshot has version ${version}, and this program reads versions up to ${VERSION}. Open it in a newer one.`
        : `This snapshot has version ${version}, which doesn't exist.`,
    );
  return version;
}

/** Parses the text of a file. Throws a SnapshotProblem. */
export function readSnapshot(text: string): Snapshot {
  const json = parse(text);
  const version = versionOf(json);
  const unknown: readonly Collection[] = version === 1 ? ["tags"] : [];
  const read = file.safeParse(version === 1 ? { ...Object(json), tags: [] } : json);
  if (!read.success) throw damaged(read.error.issues[0]?.path.join(".") ?? "");
  const { scope, time, service, missing, counts } = read.data;
  for (const kind of COLLECTIONS) {
    const some = read.data[kind];
    if (new Set(some.map(({ uid }) => uid)).size !== some.length)
      throw damaged(kind, "it contains a record twice");
    const said = counts[kind];
    if (unknown.includes(kind) || said === some.length) continue;
    throw typeof said === "number"
      ? damaged(kind, `it says ${said} ${said === 1 ? "record" : "records"} and has ${some.length}`)
      : damaged(`counts.${kind}`);
  }
  return {
    scope,
    time,
    service,
    records: perKind((kind) => read.data[kind].map((row) => recordOf(kind, row))),
    missing: Object.fromEntries(missing.map(({ kind, why }) => [kind, why])),
    unknown,
  };
}
