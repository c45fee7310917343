import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { later } from "../../platform/store/table";
import {
  advisoryUid,
  merged,
  publicId,
  type AdvisoryDraft,
  type MetadataDraft,
  type NamedAdvisory,
  type PackageDraft,
  type SourceDraft,
} from "./advisory-drafts.table";
import { COUNTS, rankColumns, rankOf } from "./advisory-ranks.table";

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
/** And those that they only sort by. */
const DERIVED = [...FACTS, "severity_rank", "latest_event_at"];
const of = (row: string, columns: readonly string[]) =>
  columns.map((column) => `${row}.${column}`).join(", ");

const NEWEST = "e.created_at desc, e.place desc, e.source desc, e.uid desc";

/**
 * SQL: what is derived from `events`, by advisory. Events of withdrawn records are kept, and decide nothing. An advisory
 * is withdrawn when all of its records are.
 */
const summaryOf = (events: string): string => `
  select e.advisory_uid, array_agg(distinct e.type) as event_types, array_agg(distinct e.review_state) as event_states,
    array_agg(distinct e.author) as event_authors,
    array_agg(distinct e.reviewer) filter (where e.reviewer <> '') as event_reviewers,
    (array_agg(e.type order by ${NEWEST}) filter (where ${COUNTS}))[1] as latest_event_type,
    (array_agg(case when e.type = 'fixed' then e.data->>'fixedVersion' end order by ${NEWEST})
      filter (where ${COUNTS}))[1] as fixed_version,
    max(e.created_at) filter (where ${COUNTS}) as latest_event_at,
    sum(pg_column_size(e.data) + pg_column_size(e.ranges) + pg_column_size(e.versions) + length(e.findings) + 400)::integer
      as weight,
    bool_or(e.source <> '') as sourced, case when bool_and(s.withdrawn_at is not null) then max(s.withdrawn_at) end as withdrawn_at
  from (${events}) e left join advisory_sources s on s.advisory_uid = e.advisory_uid and s.source = e.source
  group by e.advisory_uid`;

/**
 * Writes advisories, their events and all columns derived from these in a single statement: writing a row twice adds an
 * entry to each index and leaves half of a page dead. `told` are the new and changed events, which the rest of the
 * statement does not see yet. A value set by one source is kept when another one leaves it open, so the order of their
 * files does not matter.
 */
const WRITE = `
  with draft as materialized (
    select r.*, array(select jsonb_array_elements_text(r.names)) as aliases
    from jsonb_to_recordset($1::jsonb) as r (uid text, advisory_id text, legacy text, author text, artifact_name text,
      artifact_type text, architecture text, component_name text, component_location text, component_type text,
      origin text, namespace text, applies_to text, names jsonb, created_at timestamptz, deleted_at timestamptz)),
  told as (
    insert into advisory_events as e (uid, advisory_uid, author, reviewer, review_state, issue, type, data, findings,
      created_at, source, source_url, place, ranges, versions)
    select r.uid, r.advisory, r.author, r.reviewer, r.state, r.issue, r.type, r.data, r.findings, r.created_at, r.source,
      r.source_url, r.place, r.ranges, r.versions
    from jsonb_to_recordset($2::jsonb) as r (uid text, advisory text, author text, reviewer text, state text, issue text,
      type text, data jsonb, findings text, created_at timestamptz, source text, source_url text, place integer,
      ranges jsonb, versions jsonb)
    on conflict (uid) do update set created_at = excluded.created_at, place = excluded.place
      where e.source <> '' and case when e.type = 'detection' and e.place = 0 then excluded.created_at < e.created_at
        else excluded.created_at > e.created_at end
    returning *),
  summary as materialized (${summaryOf(`
    select * from advisory_events where advisory_uid = any($3::text[]) and uid not in (select uid from told)
    union all select * from told`)})
  insert into advisories (uid, parent, advisory_id, legacy_advisory_id, author, artifact_name, artifact_type,
    artifact_architecture, component_name, component_location, component_type, applies_to, created_at, updated_at,
    ${DERIVED.join(", ")})
  select d.uid, $4, d.advisory_id, d.legacy, d.author, d.artifact_name, d.artifact_type, d.architecture, d.component_name,
    d.component_location, d.component_type, d.applies_to, d.created_at, ${later("d.created_at", "$5")},
    k.origin, k.namespace, k.aliases,
    case when e.sourced then e.withdrawn_at else least(o.deleted_at, d.deleted_at) end,
    lower(concat_ws(E'\\n', d.artifact_name, d.component_name, array_to_string(k.aliases, E'\\n'))),
    ${severitiesOf("k.aliases")}, coalesce(e.event_types, '{}'), coalesce(e.event_states, '{}'),
    coalesce(e.event_authors, '{}'), coalesce(e.event_reviewers, '{}'), coalesce(e.latest_event_type, ''), e.fixed_version,
    coalesce(e.weight, 0), ${rankOf("k.aliases")}, e.latest_event_at
  from draft d left join advisories o on o.uid = d.uid left join summary e on e.advisory_uid = d.uid
    cross join lateral (select
      case when o.origin <> o.artifact_name then o.origin else d.origin end as origin,
      case when o.namespace <> '' then o.namespace else d.namespace end as namespace,
      case when o.uid is null then d.aliases when o.aliases @> d.aliases then o.aliases
        else array(select distinct a from unnest(o.aliases || d.aliases) a order by a) end as aliases) k
  on conflict (uid) do update set (${DERIVED.join(", ")}) = (${of("excluded", DERIVED)}),
    updated_at = case when (${of("advisories", FACTS)}) is distinct from (${of("excluded", FACTS)})
      then ${later("advisories.updated_at", "$5")} else advisories.updated_at end
  where (${of("advisories", DERIVED)}) is distinct from (${of("excluded", DERIVED)})`;

/** SQL: brings what is derived from events up to date, after their records were withdrawn. */
const REFRESH = `
  with summary as materialized (${summaryOf("select * from advisory_events where advisory_uid = any($1::text[])")})
  update advisories t set deleted_at = e.withdrawn_at, latest_event_type = coalesce(e.latest_event_type, ''),
    fixed_version = e.fixed_version, latest_event_at = e.latest_event_at, updated_at = ${later("t.updated_at", "$2")}
  from summary e where e.advisory_uid = t.uid and e.sourced and
    (t.deleted_at, t.latest_event_type, t.fixed_version, t.latest_event_at) is distinct from
    (e.withdrawn_at, coalesce(e.latest_event_type, ''), e.fixed_version, e.latest_event_at)`;

/**
 * Notes which version of which record names these advisories. The newest version of a record decides, whatever the
 * order in which its versions come: what it says no more counts as withdrawn. Returns the advisories that it left.
 */
async function writeSources(
  queries: Queries,
  parent: string,
  drafts: readonly NamedAdvisory[],
): Promise<string[]> {
  const named = new Map<string, SourceDraft & { readonly uid: string }>();
  for (const { uid, draft } of drafts) {
    const { source } = draft;
    if (!source) continue;
    const known = named.get(`${uid} ${source.id}`);
    if (!known || known.modifiedAt <= source.modifiedAt) named.set(`${uid} ${source.id}`, { ...source, uid });
  }
  if (named.size === 0) return [];
  const records = new Map<string, Date>();
  for (const { id, modifiedAt } of named.values())
    if (modifiedAt >= (records.get(id) ?? modifiedAt)) records.set(id, modifiedAt);
  const known = await queries.query<{ source: string }>(
    `with known as (select source from advisory_records where parent = $1 and source = any($2::text[])),
     written as (
       insert into advisory_records (parent, source, modified_at)
       select $1, r.source, r.at from unnest($2::text[], $3::timestamptz[]) as r (source, at)
       on conflict (parent, source) do update set modified_at = excluded.modified_at
       where excluded.modified_at > advisory_records.modified_at)
     select source from known`,
    [parent, [...records.keys()], [...records.values()]],
  );
  const rows = [...named.values()].map(({ uid, id, modifiedAt, withdrawnAt, withdrawReason }) => ({
    uid,
    source: id,
    modified_at: modifiedAt,
    withdrawn_at: withdrawnAt ?? null,
    reason: withdrawReason ?? "",
  }));
  await queries.query(
    `insert into advisory_sources as s (advisory_uid, source, parent, modified_at, withdrawn_at, withdraw_reason)
     select r.uid, r.source, $2, r.modified_at, r.withdrawn_at, r.reason
     from jsonb_to_recordset($1::jsonb) as r (uid text, source text, modified_at timestamptz, withdrawn_at timestamptz,
       reason text)
     on conflict (advisory_uid, source) do update set modified_at = excluded.modified_at,
       withdrawn_at = excluded.withdrawn_at, withdraw_reason = excluded.withdraw_reason
     where excluded.modified_at >= s.modified_at`,
    [JSON.stringify(rows), parent],
  );
  // A record that is read for the first time, in one version, left nothing.
  const again = new Set(known.map(({ source }) => source));
  for (const { id, modifiedAt } of named.values())
    if (modifiedAt < (records.get(id) ?? modifiedAt)) again.add(id);
  if (again.size === 0) return [];
  const left = await queries.query<{ uid: string }>(
    `update advisory_sources s set withdrawn_at = r.modified_at, withdraw_reason = $3
     from advisory_records r
     where s.parent = $1 and s.source = any($2::text[]) and r.parent = s.parent and r.source = s.source
       and s.modified_at < r.modified_at and s.withdrawn_at is null
     returning s.advisory_uid as uid`,
    [parent, [...again], "The record no longer names this package."],
  );
  return left.map(({ uid }) => uid);
}

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
  const named = drafts.map((draft) => ({ uid: advisoryUid(parent, draft), draft }));
  const byUid = merged(named, at);
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
    applies_to: draft.appliesTo ?? "",
    names: draft.aliases,
    created_at: draft.createdAt ?? at,
    deleted_at: draft.deletedAt ?? null,
  }));
  const events = [...byUid].flatMap(([advisory, draft]) =>
    [...draft.events.values()].map((event) => ({
      uid: event.uid,
      advisory,
      author: event.author,
      reviewer: event.reviewer ?? "",
      state: event.reviewState ?? "REVIEW_STATE_APPROVED",
      issue: event.issue ?? "",
      type: event.type,
      data: event.data,
      findings: event.findings ?? "",
      created_at: event.at,
      source: event.source,
      source_url: event.sourceUrl,
      place: event.place ?? 0,
      ranges: event.ranges ?? [],
      versions: event.versions ?? [],
    })),
  );
  const left = await writeSources(queries, parent, named);
  await queries.query(WRITE, [JSON.stringify(rows), JSON.stringify(events), [...byUid.keys()], parent, at]);
  if (left.length > 0) await queries.query(REFRESH, [left, at]);
}

/**
 * SQL: the advisories with any of these aliases. One lookup per alias: for hundreds at once, the planner expects half
 * of the table.
 */
const NAMING = `select distinct a.uid, a.aliases from unnest($1::text[]) i (id)
  cross join lateral (select uid, aliases from advisories where aliases @> array[i.id]) a`;

/** What a record says of several ids, once: details are long. */
function together(drafts: readonly MetadataDraft[]) {
  const found = new Map<object, Omit<MetadataDraft, "id"> & { readonly ids: string[] }>();
  for (const { id, ...draft } of drafts) {
    const known = found.get(draft.references);
    const isSame =
      known !== undefined &&
      (["toldBy", "summary", "details", "severities"] as const).every((key) => known[key] === draft[key]);
    if (isSame) known.ids.push(id);
    else found.set(known === undefined ? draft.references : draft, { ...draft, ids: [id] });
  }
  return [...found.values()];
}

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
    `insert into vulnerability_metadata as m (id, told_by, summary, details, refs, severities, severity_rank,
       severity_version, created_at, updated_at)
     select jsonb_array_elements_text(r.ids), r."toldBy", r.summary, r.details, r."references", r.severities,
       r.severity_rank, r.severity_version, $2, $2
     from jsonb_to_recordset($1::jsonb) as r (ids jsonb, "toldBy" text, summary text, details text, "references" jsonb,
       severities jsonb, severity_rank smallint, severity_version text)
     on conflict (id) do update set told_by = excluded.told_by, summary = excluded.summary, details = excluded.details,
       refs = excluded.refs, severities = excluded.severities, severity_rank = excluded.severity_rank,
       severity_version = excluded.severity_version, updated_at = ${later("m.updated_at", "$2")}
     where (excluded.told_by = excluded.id or (m.told_by <> m.id and excluded.told_by <= m.told_by))
       and (m.told_by, m.summary, m.details, m.refs, m.severities) is distinct from
         (excluded.told_by, excluded.summary, excluded.details, excluded.refs, excluded.severities)`,
    [JSON.stringify(together(rows).map((one) => ({ ...one, ...rankColumns(one.severities) }))), now()],
  );
  await queries.query(
    `update advisories t set severities = k.severities, severity_rank = k.severity_rank,
       updated_at = ${later("t.updated_at", "$2")}
     from (select a.uid, ${severitiesOf("a.aliases")} as severities, ${rankOf("a.aliases")} as severity_rank
       from (${NAMING}) a offset 0) k
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
      `insert into image_packages (digest, architecture, name, version, origin, distribution)
       select $2, r.architecture, r.name, r.version, r.origin, coalesce(r.distribution, '')
       from jsonb_to_recordset($1::jsonb) as r (architecture text, name text, version text, origin text,
         distribution text)
       on conflict (digest, architecture, name) do nothing`,
      [JSON.stringify(packages.slice(from, from + BATCH)), digest],
    );
}

/** Moves the update time of a group's advisories back to their last event, for those that were not written when it happened. */
export async function backdateAdvisories(queries: Queries, group: string): Promise<void> {
  await queries.query(
    `update advisories t set updated_at = greatest(t.created_at, (select max(e.created_at) from advisory_events e
       where e.advisory_uid = t.uid)) where t.parent = $1`,
    [group],
  );
}
