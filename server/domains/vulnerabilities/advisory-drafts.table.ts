import { hash as digest } from "node:crypto";

import type { AffectedRange, EventType } from "platform-contract/vulnerabilities/events";

export interface EventDraft {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** When it happened, if known. */
  readonly at?: Date | undefined;
  /** Its order in the source, which decides between events of one time. */
  readonly place?: number | undefined;
  readonly ranges?: readonly AffectedRange[] | undefined;
  readonly versions?: readonly string[] | undefined;
  /** Distinguishes events with equal content; without it, writing one again does not add an event. */
  readonly stamp?: string | undefined;
  readonly author: string;
  readonly reviewer?: string;
  readonly reviewState?: string;
  readonly issue?: string;
  /** Base64 of JSON. */
  readonly findings?: string;
}

/** The record that makes a statement, in the version that was read. */
export interface SourceDraft {
  readonly id: string;
  readonly url?: string | undefined;
  readonly modifiedAt: Date;
  readonly withdrawnAt?: Date | undefined;
  readonly withdrawReason?: string | undefined;
}

/** One vulnerability of one component of one artifact. */
export interface AdvisoryDraft {
  /** The vulnerability's primary id; `aliases` are its other ids. */
  readonly vulnerability: string;
  readonly aliases: readonly string[];
  readonly advisoryId?: string | undefined;
  readonly legacyAdvisoryId?: string | undefined;
  readonly author: string;
  readonly artifactName: string;
  readonly artifactType: string;
  readonly artifactArchitecture?: string;
  readonly componentName: string;
  readonly componentLocation?: string;
  readonly componentType: string;
  /** The package that the artifact was built from; defaults to the artifact itself. */
  readonly origin?: string | undefined;
  readonly namespace?: string | undefined;
  /** Where it holds, if not everywhere; see the contract. */
  readonly appliesTo?: string | undefined;
  readonly source?: SourceDraft | undefined;
  readonly createdAt?: Date | undefined;
  /** For advisories without a source. */
  readonly deletedAt?: Date | undefined;
  readonly events: readonly EventDraft[];
}

export interface MetadataDraft {
  readonly id: string;
  /** The source record: its own id, or an id that it is an alias of. */
  readonly toldBy: string;
  readonly summary: string;
  readonly details: string;
  readonly references: readonly { readonly type: string; readonly url: string }[];
  readonly severities: readonly { readonly type: string; readonly score: string }[];
}

export interface PackageDraft {
  readonly architecture: string;
  readonly name: string;
  readonly version: string;
  readonly origin: string;
  /** `Wolfi` or `Alpine:v3.20`; "" if unknown. */
  readonly distribution?: string | undefined;
}

/** In hex. */
const hash = (...parts: readonly string[]): string => digest("sha256", JSON.stringify(parts), "hex");

/** A child uid of `parent`: 8 bytes derived from the parts, always the same. */
const childUid = (parent: string, ...parts: readonly string[]): string =>
  `${parent}/${hash(...parts).slice(0, 16)}`;

// The alphabet of other public advisory ids: without letters that look alike.
const LETTERS = "23456789cfghjmpqrvwx";

/** `ADV-xxxx-xxxx-xxxx`, derived from the uid. */
export function publicId(uid: string): string {
  const bytes = Buffer.from(hash("advisory", uid).slice(0, 24), "hex");
  const letters = [...bytes].map((byte) => LETTERS[byte % LETTERS.length]);
  return `ADV-${[0, 4, 8].map((at) => letters.slice(at, at + 4).join("")).join("-")}`;
}

/** The uid of a draft's advisory, derived from its content. */
export const advisoryUid = (parent: string, draft: AdvisoryDraft): string =>
  childUid(
    parent,
    draft.artifactType,
    draft.artifactName,
    draft.artifactArchitecture ?? "",
    draft.componentType,
    draft.componentName,
    draft.componentLocation ?? "",
    draft.vulnerability,
    ...(draft.appliesTo ? [draft.appliesTo] : []),
  );

/** JSON with sorted object keys. A replacer for JSON.stringify takes several times as long. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries: Readonly<Record<string, unknown>> = Object(value);
  const known = Object.keys(value).filter((key) => entries[key] !== undefined);
  return `{${known
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(entries[key])}`)
    .join(",")}}`;
}

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? new Date(Math.min(one.getTime(), other.getTime())) : (one ?? other);

/** An event as it is written. */
interface EventRow extends EventDraft {
  readonly uid: string;
  readonly at: Date;
  readonly source: string;
  readonly sourceUrl: string;
}

function eventRow(
  advisory: string,
  event: EventDraft,
  { source, createdAt }: AdvisoryDraft,
  at: Date,
): EventRow {
  const { type, data, author, stamp = "", ranges = [], versions = [] } = event;
  const said = source ? { ...data, ranges, versions } : data;
  const uid = childUid(advisory, type, canonical(said), author, stamp, ...(source ? [source.id] : []));
  return {
    ...event,
    uid,
    at: event.at ?? createdAt ?? at,
    source: source?.id ?? "",
    sourceUrl: source?.url ?? "",
  };
}

/** A record that states the same again was first detected at the earlier time, and decided at the later. */
const restated = (one: EventRow, other: EventRow): EventRow =>
  one.at <= other.at === (one.type === "detection" && !one.place) ? one : other;

/** A draft and the uid of its advisory. */
export interface NamedAdvisory {
  readonly uid: string;
  readonly draft: AdvisoryDraft;
}

export type Merged = Omit<AdvisoryDraft, "events" | "source"> & {
  readonly events: ReadonlyMap<string, EventRow>;
};

/** Merges the drafts of one uid, with the same result as writing one after the other. */
export function merged(drafts: readonly NamedAdvisory[], at: Date): Map<string, Merged> {
  const byUid = new Map<string, Merged>();
  for (const { uid, draft } of drafts) {
    const before = byUid.get(uid);
    const events = new Map(before?.events);
    for (const event of draft.events) {
      const row = eventRow(uid, event, draft, at);
      const known = events.get(row.uid);
      events.set(row.uid, known && draft.source ? restated(known, row) : (known ?? row));
    }
    const own = before?.origin === undefined || before.origin === before.artifactName;
    byUid.set(uid, {
      ...(before ?? { ...draft, createdAt: draft.createdAt ?? at }),
      origin: own ? draft.origin : before.origin,
      namespace: before?.namespace ?? draft.namespace,
      deletedAt: earlier(before?.deletedAt, draft.deletedAt),
      events,
      aliases: [...new Set([...(before?.aliases ?? []), draft.vulnerability, ...draft.aliases])].toSorted(),
    });
  }
  return byUid;
}
