import { ancestorsOf } from "platform-contract/aip";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { EVENT_TYPES, type EventType } from "platform-contract/vulnerabilities/events";

import { anywhere, type Bind } from "../../platform/store/sql";
import {
  TIMES,
  time,
  times,
  type Item,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";
import { RANKED } from "./advisory-ranks.table";
import { holdsInSql } from "./image-packages.table";

/** SQL: conditions on the advisory `t`, each of an index; long texts do not fit into one on whole texts. */
export const SHORT_TEXT = "octet_length(t.search) < 2000";
export const LONG_TEXT = "octet_length(t.search) >= 2000";

/** An event as EVENTS below selects it. */
interface StoredEvent extends Readonly<Record<string, unknown>> {
  readonly uid: string;
  readonly at: string;
  readonly type: string;
  readonly data: unknown;
  readonly ranges: readonly unknown[];
  readonly versions: readonly string[];
  readonly withdrawnAt: string | null;
}

/** SQL: the events of `t` as `v.events`, oldest first. */
export const EVENTS = `left join lateral (
  select jsonb_agg(jsonb_build_object('uid', e.uid, 'at', e.created_at, 'author', e.author, 'reviewer', e.reviewer,
    'reviewState', e.review_state, 'issue', e.issue, 'type', e.type, 'data', e.data, 'findings', e.findings,
    'sourceId', e.source, 'sourceUrl', e.source_url, 'ranges', e.ranges, 'versions', e.versions,
    'withdrawnAt', s.withdrawn_at, 'withdrawReason', coalesce(s.withdraw_reason, ''))
    order by e.created_at, e.place, e.source, e.uid) as events
  from advisory_events e left join advisory_sources s on s.advisory_uid = e.advisory_uid and s.source = e.source
  where e.advisory_uid = t.uid) v on true`;

/** Omits empty strings. Event data stays unchanged: a manual detection is an empty object. */
function eventOf({ at, type, data, ranges, versions, withdrawnAt, ...texts }: StoredEvent): Item {
  const set = Object.entries(texts).filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(set),
    createTime: new Date(at).toISOString(),
    [type]: data,
    ...(ranges.length > 0 && { affectedRanges: ranges }),
    ...(versions.length > 0 && { affectedVersions: versions }),
    ...(withdrawnAt !== null && { withdrawTime: new Date(withdrawnAt).toISOString() }),
  };
}

export const eventsOf = ({ events }: { readonly events: readonly StoredEvent[] | null }): Item[] =>
  (events ?? []).map(eventOf);

const TYPE_OF: Readonly<Record<string, EventType>> = Object.fromEntries(
  Object.entries(EVENT_TYPES).map(([type, filter]) => [filter, type as EventType]),
);

/** SQL: what is known of the exploitation of `t`, by the alias that is exploited most, as `x`. */
const EXPLOITATION = `left join lateral (
  select (array_agg(s.epss order by s.epss desc nulls last))[1] as epss,
    (array_agg(s.epss_percentile order by s.epss desc nulls last))[1] as epss_percentile,
    (array_agg(s.epss_date order by s.epss desc nulls last))[1] as epss_date, min(s.kev_added) as kev_added,
    min(s.kev_due) as kev_due, max(s.kev_action) as kev_action, bool_or(s.kev_ransomware) as kev_ransomware
  from vulnerability_exploitation s where s.id = any(t.aliases)) x on true`;

type ExploitationRow = Readonly<
  Record<"epss" | "epss_percentile" | "epss_date" | "kev_added" | "kev_due" | "kev_action", unknown>
> & { readonly kev_ransomware: boolean | null };

function exploitationOf(row: ExploitationRow): Item | undefined {
  const isExploited = row.kev_added !== null;
  if (row.epss === null && !isExploited) return undefined;
  return {
    epss: row.epss ?? undefined,
    epssPercentile: row.epss_percentile ?? undefined,
    epssDate: row.epss_date ?? undefined,
    ...(isExploited && {
      knownExploitedSince: row.kev_added,
      actionDue: row.kev_due ?? undefined,
      requiredAction: row.kev_action || undefined,
      usedByRansomware: row.kev_ransomware === true ? true : undefined,
    }),
  };
}

const among = (column: string) => (values: readonly string[], bind: Bind) =>
  `${column} = any(${bind(values)}::text[])`;
const overlapping = (column: string) => (values: readonly string[], bind: Bind) =>
  `${column} && ${bind(values)}::text[]`;

/** The zero value of an enum does not filter. */
const set = (values: readonly string[], zero: string): readonly string[] | undefined => {
  const rest = values.filter((value) => value !== zero);
  return rest.length === 0 ? undefined : rest;
};

const text = (column: string) => ({ sql: `t.${column}`, type: "text" }) as const;

/** Deleted advisories can be read by uid, but are not listed. */
export const LIVE = "t.deleted_at is null";

export type AdvisoryRow = Timed &
  ExploitationRow &
  Texts<"uid" | "advisory_id" | "legacy_advisory_id" | "author" | "applies_to"> &
  Texts<`artifact_${"name" | "type" | "architecture"}` | `component_${"name" | "location" | "type"}`> & {
    readonly aliases: readonly string[];
    readonly severities: unknown;
    readonly deleted_at: Date | null;
    readonly events: readonly StoredEvent[] | null;
  };

export const advisoriesTable: RecordTable<unknown, AdvisoryRow> = {
  name: "advisories",
  joins: `${EVENTS} ${EXPLOITATION}`,
  columns: `t.uid, t.advisory_id, t.legacy_advisory_id, t.author, t.artifact_name, t.artifact_type,
    t.artifact_architecture, t.component_name, t.component_location, t.component_type, t.applies_to, t.aliases, t.severities,
    t.deleted_at, v.events, x.*, ${TIMES}`,
  sort: {
    name: { sql: "lower(t.artifact_name)", type: "text" },
    advisory_id: text("advisory_id"),
    component_name: text("component_name"),
    created_at: { sql: "t.created_at", type: "time" },
    updated_at: { sql: "t.updated_at", type: "time" },
    ...RANKED,
  },
  weight: "t.weight",
  filters: {
    origin: (origin, bind) => `t.origin = ${bind(origin)}`,
    latestEventType: (filter, bind) =>
      filter in TYPE_OF ? `t.latest_event_type = ${bind(TYPE_OF[filter])}` : undefined,
    tagUid: (tag, bind) =>
      // What applies to a group applies to everything below it, and to nothing beside it.
      `t.artifact_type = 'apk' and t.parent = any(${bind(ancestorsOf(tag))}::text[]) and exists (select 1 from image_packages p
        where p.digest in (select unnest(array[g.digest, g.parent || '@' || g.digest]) from tags g where g.uid = ${bind(tag)})
        and t.artifact_name in (p.name, p.origin) and t.artifact_architecture in ('', p.architecture)
        and ${holdsInSql("t.applies_to", "p.distribution")})`,
    minEpss: (least, bind) =>
      `t.aliases && array(select id from vulnerability_exploitation where epss >= ${bind(least)}::numeric)`,
    query: (query, bind) => `t.search like lower(${bind(anywhere(query))}::text)`,
  },
  listFilters: {
    advisoryIds: among("t.advisory_id"),
    // Matches the condition of its partial index, so that the planner uses it.
    legacyAdvisoryIds: (values, bind) =>
      `t.legacy_advisory_id <> '' and t.legacy_advisory_id = any(${bind(values)}::text[])`,
    // An origin filter selects all of its packages.
    artifactNames: (values, bind, query) =>
      query["origin"] ? undefined : among("t.artifact_name")(values, bind),
    artifactTypes: among("t.artifact_type"),
    artifactArchitectures: among("t.artifact_architecture"),
    componentNames: among("t.component_name"),
    componentTypes: among("t.component_type"),
    componentLocations: among("t.component_location"),
    // Matches the condition of its partial index.
    appliesTo: (values, bind) => `t.applies_to <> '' and ${among("t.applies_to")(values, bind)}`,
    aliases: overlapping("t.aliases"),
    eventReviewStates(values, bind) {
      const states = set(values, "REVIEW_STATE_UNSPECIFIED");
      return states && overlapping("t.event_states")(states, bind);
    },
    eventAuthors: overlapping("t.event_authors"),
    excludeEventAuthors: (values, bind) => `not (${overlapping("t.event_authors")(values, bind)})`,
    eventReviewers: overlapping("t.event_reviewers"),
    eventTypes(values, bind) {
      const filters = set(values, "EVENT_TYPE_FILTER_UNSPECIFIED");
      return (
        filters &&
        overlapping("t.event_types")(
          filters.map((filter) => TYPE_OF[filter] ?? ""),
          bind,
        )
      );
    },
  },
  always: ({ showDeleted, knownExploited }) => [
    ...(showDeleted === true ? [] : [LIVE]),
    ...(knownExploited === true
      ? ["t.aliases && array(select id from vulnerability_exploitation where kev_added is not null)"]
      : []),
  ],
  countedApart: ({ query }) => (query ? [SHORT_TEXT, LONG_TEXT] : undefined),
  toItem: (row) => ({
    uid: row.uid,
    advisoryId: row.advisory_id,
    author: row.author,
    artifactName: row.artifact_name,
    artifactType: row.artifact_type,
    artifactArchitecture: row.artifact_architecture,
    componentName: row.component_name,
    componentLocation: row.component_location,
    componentType: row.component_type,
    appliesTo: row.applies_to,
    aliases: row.aliases,
    events: eventsOf(row),
    legacyAdvisoryId: row.legacy_advisory_id,
    severities: row.severities,
    exploitation: exploitationOf(row),
    deleteTime: time(row.deleted_at),
    ...times(row),
  }),
  // Only read through the API: sources write them.
  toRow: () => ({}),
};

/** The advisory of a row, in its wire form. */
export const advisoryOf = (row: AdvisoryRow): Advisory => advisoriesTable.toItem(row) as Advisory;
