import { createHash } from "node:crypto";

import type { EventType } from "~/contract/vulnerabilities/events";

import { now } from "./clock";
import type { Queries } from "./database";
import { later } from "./table";

export interface EventDraft {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** When it happened, where that is known. */
  readonly at?: Date | undefined;
  /** Tells events apart that say the same; without it one that is told again is the same event. */
  readonly stamp?: string | undefined;
  readonly author: string;
  readonly reviewer?: string;
  readonly reviewState?: string;
  readonly issue?: string;
  /** Base64 of JSON. */
  readonly findings?: string;
}

/** One vulnerability of one component of one artifact. */
export interface AdvisoryDraft {
  /** The id that the vulnerability goes by, and others of it. */
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
  /** The package that the artifact was built with; itself when left out. */
  readonly origin?: string | undefined;
  readonly namespace?: string | undefined;
  readonly createdAt?: Date | undefined;
  readonly deletedAt?: Date | undefined;
  readonly events: readonly EventDraft[];
}

export interface MetadataDraft {
  readonly id: string;
  /** The record that says so: its own id, or one that it is an alias of. */
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
}

const hash = (...parts: readonly string[]): Buffer =>
  createHash("sha256").update(JSON.stringify(parts)).digest();

/** 8 bytes below `parent` that the parts always give. */
const childUid = (parent: string, ...parts: readonly string[]): string =>
  `${parent}/${hash(...parts).toString("hex", 0, 8)}`;

// As ids of advisories are written elsewhere: no letter that looks like another.
const LETTERS = "23456789cfghjmpqrvwx";

/** `ADV-xxxx-xxxx-xxxx`, the same for whatever has this uid. */
function publicId(uid: string): string {
  const letters = [...hash("advisory", uid).subarray(0, 12)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `ADV-${[0, 4, 8].map((at) => letters.slice(at, at + 4).join("")).join("-")}`;
}

/** The uid of the advisory that a draft is, the same each time it is read. */
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
  );

/** The same with its parts in one order, however they were written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? new Date(Math.min(one.getTime(), other.getTime())) : (one ?? other);

/** Those of one uid as one, as UPSERT would make it of one after the other. */
function merged(parent: string, drafts: readonly AdvisoryDraft[], at: Date): Map<string, AdvisoryDraft> {
  const byUid = new Map<string, AdvisoryDraft>();
  for (const { createdAt = at, ...draft } of drafts) {
    const uid = advisoryUid(parent, draft);
    const before = byUid.get(uid);
    const events = draft.events.map((event) => ({ ...event, at: event.at ?? createdAt }));
    const own = before?.origin === undefined || before.origin === before.artifactName;
    byUid.set(uid, {
      ...(before ?? { ...draft, createdAt }),
      origin: own ? draft.origin : before.origin,
      namespace: before?.namespace ?? draft.namespace,
      deletedAt: earlier(before?.deletedAt, draft.deletedAt),
      events: [...(before?.events ?? []), ...events],
      aliases: [...new Set([...(before?.aliases ?? []), draft.vulnerability, ...draft.aliases])].toSorted(),
    });
  }
  return byUid;
}

/** SQL: what one source says stands, whatever another one leaves open, so that the order of their files changes nothing. */
const KEPT = {
  origin:
    "case when advisories.origin = advisories.artifact_name then excluded.origin else advisories.origin end",
  namespace: "case when advisories.namespace = '' then excluded.namespace else advisories.namespace end",
  deleted_at: "least(advisories.deleted_at, excluded.deleted_at)",
};

const UPSERT = `
  insert into advisories (uid, parent, advisory_id, legacy_advisory_id, author, artifact_name, artifact_type,
    artifact_architecture, component_name, component_location, component_type, origin, namespace, aliases,
    created_at, updated_at, deleted_at)
  select r.uid, $2, r.advisory_id, r.legacy, r.author, r.artifact_name, r.artifact_type, r.architecture,
    r.component_name, r.component_location, r.component_type, r.origin, r.namespace,
    array(select jsonb_array_elements_text(r.aliases)), r.created_at, r.created_at, r.deleted_at
  from jsonb_to_recordset($1::jsonb) as r (uid text, advisory_id text, legacy text, author text, artifact_name text,
    artifact_type text, architecture text, component_name text, component_location text, component_type text,
    origin text, namespace text, aliases jsonb, created_at timestamptz, deleted_at timestamptz)
  on conflict (uid) do update set
    aliases = array(select distinct a from unnest(advisories.aliases || excluded.aliases) a order by a),
    origin = ${KEPT.origin}, namespace = ${KEPT.namespace}, deleted_at = ${KEPT.deleted_at},
    updated_at = ${later("advisories.updated_at", "$3")}
  where (advisories.origin, advisories.namespace, advisories.deleted_at)
      is distinct from (${Object.values(KEPT).join(", ")})
    or not advisories.aliases @> excluded.aliases`;

const INSERT_EVENTS = `
  insert into advisory_events (uid, advisory_uid, author, reviewer, review_state, issue, type, data, findings, created_at)
  select r.uid, r.advisory, r.author, r.reviewer, r.state, r.issue, r.type, r.data, r.findings, r.created_at
  from jsonb_to_recordset($1::jsonb) as r (uid text, advisory text, author text, reviewer text, state text, issue text,
    type text, data jsonb, findings text, created_at timestamptz)
  on conflict (uid) do nothing`;

/** SQL: the severities that are known of these aliases, each once. */
const severitiesOf = (aliases: string): string => `(
  select coalesce(jsonb_agg(k.s order by k.s->>'type' desc, k.s->>'score'), '[]') from (select distinct s
    from vulnerability_metadata m cross join lateral jsonb_array_elements(m.severities) s where m.id = any(${aliases})) k)`;

/** What lists read of the events stands in the row of the advisory; updated_at moves where that changes. */
const SUMMARIZE = `
  update advisories t set event_types = k.types, event_states = k.states, event_authors = k.authors,
    event_reviewers = k.reviewers, latest_event_type = k.latest, fixed_version = k.fixed, weight = k.weight,
    severities = k.severities, search = k.search, updated_at = ${later("t.updated_at", "$2")}
  from (
    select a.uid, e.*, ${severitiesOf("a.aliases")} as severities,
      lower(concat_ws(E'\\n', a.artifact_name, a.component_name, array_to_string(a.aliases, E'\\n'))) as search
    from advisories a cross join lateral (
      select coalesce(array_agg(distinct type), '{}') as types,
        coalesce(array_agg(distinct review_state), '{}') as states,
        coalesce(array_agg(distinct author), '{}') as authors,
        coalesce(array_agg(distinct reviewer) filter (where reviewer <> ''), '{}') as reviewers,
        coalesce((array_agg(type order by created_at desc, uid desc) filter (where approved))[1], '') as latest,
        (array_agg(case when type = 'fixed' then data->>'fixedVersion' end order by created_at desc, uid desc)
          filter (where approved))[1] as fixed,
        coalesce(sum(pg_column_size(data) + length(findings) + 300), 0)::integer as weight
      from (select *, review_state = 'REVIEW_STATE_APPROVED' as approved from advisory_events
        where advisory_uid = a.uid) e) e
    where a.uid = any($1::text[])) k
  where t.uid = k.uid and (t.event_types, t.event_states, t.event_authors, t.event_reviewers, t.latest_event_type,
      t.fixed_version, t.weight, t.severities, t.search)
    is distinct from (k.types, k.states, k.authors, k.reviewers, k.latest, k.fixed, k.weight, k.severities, k.search)`;

/**
 * Writes advisories into a group: those that are there get what is new of them. The same drafts again change nothing.
 * Within a transaction.
 */
export async function writeAdvisories(
  queries: Queries,
  parent: string,
  drafts: readonly AdvisoryDraft[],
): Promise<void> {
  const at = now();
  const byUid = merged(parent, drafts, at);
  const rows = [...byUid].map(([uid, draft]) => ({
    uid,
    advisory_id: draft.advisoryId ?? publicId(uid),
    legacy: draft.legacyAdvisoryId ?? "",
    author: draft.author,
    artifact_name: draft.artifactName,
    artifact_type: draft.artifactType,
    architecture: draft.artifactArchitecture ?? "",
    component_name: draft.componentName,
    component_location: draft.componentLocation ?? "",
    component_type: draft.componentType,
    origin: draft.origin ?? draft.artifactName,
    namespace: draft.namespace ?? "",
    aliases: draft.aliases,
    created_at: draft.createdAt ?? at,
    deleted_at: draft.deletedAt ?? null,
  }));
  const events = [...byUid].flatMap(([advisory, draft]) =>
    draft.events.map((event) => ({
      uid: childUid(advisory, event.type, canonical(event.data), event.author, event.stamp ?? ""),
      advisory,
      author: event.author,
      reviewer: event.reviewer ?? "",
      state: event.reviewState ?? "REVIEW_STATE_APPROVED",
      issue: event.issue ?? "",
      type: event.type,
      data: event.data,
      findings: event.findings ?? "",
      created_at: event.at,
    })),
  );
  await queries.query(UPSERT, [JSON.stringify(rows), parent, at]);
  await queries.query(INSERT_EVENTS, [JSON.stringify(events)]);
  await queries.query(SUMMARIZE, [[...byUid.keys()], at]);
}

/**
 * Writes what is known of vulnerabilities, and the severities of the advisories of them. What a record says of itself
 * stands, whatever another one says of its aliases; among others the one with the first id, in whatever order they come.
 */
export async function writeMetadata(queries: Queries, drafts: readonly MetadataDraft[]): Promise<void> {
  const own = ({ id, toldBy }: MetadataDraft) => Number(id === toldBy);
  const ordered = drafts.toSorted(
    (one, other) =>
      own(one) - own(other) || (one.toldBy < other.toldBy ? 1 : one.toldBy > other.toldBy ? -1 : 0),
  );
  const rows = [...new Map(ordered.map((draft) => [draft.id, draft])).values()];
  await queries.query(
    `insert into vulnerability_metadata (id, told_by, summary, details, refs, severities)
     select * from jsonb_to_recordset($1::jsonb) as r (id text, "toldBy" text, summary text, details text,
       "references" jsonb, severities jsonb)
     on conflict (id) do update set told_by = excluded.told_by, summary = excluded.summary, details = excluded.details,
       refs = excluded.refs, severities = excluded.severities
     where excluded.told_by = excluded.id or
       (vulnerability_metadata.told_by <> vulnerability_metadata.id and excluded.told_by <= vulnerability_metadata.told_by)`,
    [JSON.stringify(rows)],
  );
  await queries.query(
    `update advisories t set severities = k.severities, updated_at = ${later("t.updated_at", "$2")}
     from (select a.uid, ${severitiesOf("a.aliases")} as severities from advisories a where a.aliases && $1::text[]) k
     where t.uid = k.uid and t.severities <> k.severities`,
    [rows.map(({ id }) => id), now()],
  );
}

/** Writes what an image holds, instead of what was known of it for these architectures. */
export async function writePackages(
  queries: Queries,
  digest: string,
  packages: readonly PackageDraft[],
): Promise<void> {
  const architectures = [...new Set(packages.map(({ architecture }) => architecture))];
  await queries.query("delete from image_packages where digest = $1 and architecture = any($2::text[])", [
    digest,
    architectures,
  ]);
  await queries.query(
    `insert into image_packages (digest, architecture, name, version, origin)
     select $2, r.architecture, r.name, r.version, r.origin
     from jsonb_to_recordset($1::jsonb) as r (architecture text, name text, version text, origin text)
     on conflict (digest, architecture, name) do nothing`,
    [JSON.stringify(packages), digest],
  );
}
