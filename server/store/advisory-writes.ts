import { by } from "~/contract/order";
import { createHash } from "node:crypto";

import type { EventType } from "~/contract/vulnerabilities/events";

import { now } from "./clock";
import type { Queries } from "./database";
import { later } from "./table";

export interface EventDraft {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** When it happened, if known. */
  readonly at?: Date | undefined;
  /** Distinguishes events with equal content; without it, writing one again does not add an event. */
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
  readonly createdAt?: Date | undefined;
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
}

const hash = (...parts: readonly string[]): Buffer =>
  createHash("sha256").update(JSON.stringify(parts)).digest();

/** A child uid of `parent`: 8 bytes derived from the parts, always the same. */
const childUid = (parent: string, ...parts: readonly string[]): string =>
  `${parent}/${hash(...parts).toString("hex", 0, 8)}`;

// The alphabet of other public advisory ids: without letters that look alike.
const LETTERS = "23456789cfghjmpqrvwx";

/** `ADV-xxxx-xxxx-xxxx`, derived from the uid. */
function publicId(uid: string): string {
  const letters = [...hash("advisory", uid).subarray(0, 12)].map((byte) => LETTERS[byte % LETTERS.length]);
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
  );

/** JSON with sorted object keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(by(([key]) => key)))
      : one,
  );

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? new Date(Math.min(one.getTime(), other.getTime())) : (one ?? other);

/** Merges the drafts of one uid, with the same result as applying WRITE to one after the other. */
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

/** SQL: the distinct severities known for these aliases. */
const severitiesOf = (aliases: string): string => `(
  select coalesce(jsonb_agg(k.s order by k.s->>'type' desc, k.s->>'score'), '[]') from (select distinct s
    from vulnerability_metadata m cross join lateral jsonb_array_elements(m.severities) s where m.id = any(${aliases})) k)`;

/** SQL: the columns that lists read from the row; updated_at moves when one of them changes. */
const FACTS = [
  "origin",
  "namespace",
  "aliases",
  "deleted_at",
  "search",
  "severities",
  "event_types",
  "event_states",
  "event_authors",
  "event_reviewers",
  "latest_event_type",
  "fixed_version",
  "weight",
];
const facts = (row: string) => FACTS.map((fact) => `${row}.${fact}`).join(", ");

/**
 * Writes advisories, their events and all columns derived from these in a single statement: writing a row twice adds an
 * entry to each index and leaves half of a page dead. `told` are the new events, which the rest of the statement does
 * not see yet. A value set by one source is kept when another one leaves it open, so the order of their files does not
 * matter.
 */
const WRITE = `
  with draft as materialized (
    select r.*, array(select jsonb_array_elements_text(r.names)) as aliases
    from jsonb_to_recordset($1::jsonb) as r (uid text, advisory_id text, legacy text, author text, artifact_name text,
      artifact_type text, architecture text, component_name text, component_location text, component_type text,
      origin text, namespace text, names jsonb, created_at timestamptz, deleted_at timestamptz)),
  told as (
    insert into advisory_events (uid, advisory_uid, author, reviewer, review_state, issue, type, data, findings, created_at)
    select r.uid, r.advisory, r.author, r.reviewer, r.state, r.issue, r.type, r.data, r.findings, r.created_at
    from jsonb_to_recordset($2::jsonb) as r (uid text, advisory text, author text, reviewer text, state text, issue text,
      type text, data jsonb, findings text, created_at timestamptz)
    on conflict (uid) do nothing returning *),
  summary as materialized (
    select advisory_uid, array_agg(distinct type) as event_types, array_agg(distinct review_state) as event_states,
      array_agg(distinct author) as event_authors, array_agg(distinct reviewer) filter (where reviewer <> '') as event_reviewers,
      (array_agg(type order by created_at desc, uid desc) filter (where approved))[1] as latest_event_type,
      (array_agg(case when type = 'fixed' then data->>'fixedVersion' end order by created_at desc, uid desc)
        filter (where approved))[1] as fixed_version,
      sum(pg_column_size(data) + length(findings) + 300)::integer as weight
    from (select *, review_state = 'REVIEW_STATE_APPROVED' as approved
      from (select * from advisory_events where advisory_uid = any($3::text[]) union all select * from told) e) e
    group by advisory_uid)
  insert into advisories (uid, parent, advisory_id, legacy_advisory_id, author, artifact_name, artifact_type,
    artifact_architecture, component_name, component_location, component_type, created_at, updated_at, ${FACTS.join(", ")})
  select d.uid, $4, d.advisory_id, d.legacy, d.author, d.artifact_name, d.artifact_type, d.architecture, d.component_name,
    d.component_location, d.component_type, d.created_at, ${later("d.created_at", "$5")},
    k.origin, k.namespace, k.aliases, least(o.deleted_at, d.deleted_at),
    lower(concat_ws(E'\\n', d.artifact_name, d.component_name, array_to_string(k.aliases, E'\\n'))),
    ${severitiesOf("k.aliases")}, coalesce(e.event_types, '{}'), coalesce(e.event_states, '{}'),
    coalesce(e.event_authors, '{}'), coalesce(e.event_reviewers, '{}'), coalesce(e.latest_event_type, ''), e.fixed_version,
    coalesce(e.weight, 0)
  from draft d left join advisories o on o.uid = d.uid left join summary e on e.advisory_uid = d.uid
    cross join lateral (select
      case when o.origin <> o.artifact_name then o.origin else d.origin end as origin,
      case when o.namespace <> '' then o.namespace else d.namespace end as namespace,
      case when o.uid is null then d.aliases when o.aliases @> d.aliases then o.aliases
        else array(select distinct a from unnest(o.aliases || d.aliases) a order by a) end as aliases) k
  on conflict (uid) do update set (${FACTS.join(", ")}) = (${facts("excluded")}),
    updated_at = ${later("advisories.updated_at", "$5")}
  where (${facts("advisories")}) is distinct from (${facts("excluded")})`;

/**
 * Writes advisories into a group, adding what is new to existing ones. Idempotent. Must run in a transaction; writers
 * of advisories must take turns.
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
    names: draft.aliases,
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
  await queries.query(WRITE, [JSON.stringify(rows), JSON.stringify(events), [...byUid.keys()], parent, at]);
}

/**
 * SQL: the advisories with any of these aliases. One lookup per alias: for hundreds at once, the planner expects half
 * of the table.
 */
const NAMING = `select distinct a.uid, a.aliases from unnest($1::text[]) i (id)
  cross join lateral (select uid, aliases from advisories where aliases @> array[i.id]) a`;

/**
 * Writes vulnerability metadata and updates the severities of the affected advisories. A record's own metadata wins
 * over what another record says about its aliases; among others, the lowest id wins, regardless of the order.
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
     from (select a.uid, ${severitiesOf("a.aliases")} as severities from (${NAMING}) a offset 0) k
     where t.uid = k.uid and t.severities <> k.severities`,
    [rows.map(({ id }) => id), now()],
  );
}

/** Packages per statement. */
const BATCH = 2_000;

/** Replaces the known packages of an image for these architectures. */
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
  for (let from = 0; from < packages.length; from += BATCH)
    await queries.query(
      `insert into image_packages (digest, architecture, name, version, origin)
       select $2, r.architecture, r.name, r.version, r.origin
       from jsonb_to_recordset($1::jsonb) as r (architecture text, name text, version text, origin text)
       on conflict (digest, architecture, name) do nothing`,
      [JSON.stringify(packages.slice(from, from + BATCH)), digest],
    );
}
