import type { Migration } from "./migration";

/** Lists omit deleted advisories. */
const live = (name: string, value: string): string =>
  `create index advisories_${name} on advisories (coalesce(${value}, 1e12), uid) where deleted_at is null`;

const RANK = "nullif(severity_rank, -1)";
const SECONDS = "extract(epoch from latest_event_at at time zone 'UTC')";

/** Advisories can be listed by severity, and by when their newest event was. */
export default {
  id: "051-advisory-orders",
  statements: [
    // severity_rank: the worst highest, -1 without a known severity, and null until the service has filled it in, in turns:
    // no SQL computes the score of a vector. severity_version: of CVSS; of an advisory's vulnerabilities, the newest decides.
    `alter table vulnerability_metadata add column severity_rank smallint,
      add column severity_version text collate "C" not null default ''`,
    // latest_event_at: of the newest approved event; null without one, and until severity_rank is filled in.
    "alter table advisories add column severity_rank smallint, add column latest_event_at timestamptz(3)",
    "create index vulnerability_metadata_unranked on vulnerability_metadata (id) where severity_rank is null",
    "create index advisories_unranked on advisories (uid) where severity_rank is null",

    // One for each direction: what is unknown comes last in both, and many rows have the same value.
    live("severity", RANK),
    live("severity_down", `-${RANK}`),
    live("latest_event", SECONDS),
    live("latest_event_down", `-${SECONDS}`),
  ],
} satisfies Migration;
