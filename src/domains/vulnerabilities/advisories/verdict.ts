import { byDescending } from "platform-contract/order";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { eventTypeOf, newestEvent, type AdvisoryEvent } from "platform-contract/vulnerabilities/events";

import { affectedText } from "./ranges";
import { EVENT_WORDS, REASONS } from "./words";

/** The four statuses of VEX. */
export const STATUSES = ["affected", "under_investigation", "fixed", "not_affected"] as const;
export type Status = (typeof STATUSES)[number];

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  affected: "Affected",
  under_investigation: "Under investigation",
  fixed: "Fixed",
  not_affected: "Not affected",
};

/** The status of an advisory by its newest approved event. */
export interface Verdict {
  readonly status: Status;
  /** The event that decided the status; undefined if none is approved yet. */
  readonly event: AdvisoryEvent | undefined;
  /** The event in words, since a status covers several of them: "No fix planned". */
  readonly says: string;
  /** Versions that fix it. */
  readonly fixedIn: readonly string[];
  /** Why it is not affected: in words, and as a VEX justification. */
  readonly reason: { readonly words: string; readonly vex: string } | undefined;
  readonly note: string | undefined;
  /** Which versions are affected, a line each; empty if the event does not say. */
  readonly affected: readonly string[];
  /** What a newer event says that nobody has reviewed yet, such as "Not affected". It doesn't count. */
  readonly pending: string | undefined;
  /** What other sources say instead, newest first. Theirs is older, so it does not count. */
  readonly others: readonly OtherOpinion[];
}

/** The newest statement of a source that another source's newer one overrides. */
export interface OtherOpinion {
  readonly source: string;
  readonly url: string | undefined;
  /** "Affected", or "Fixed in 1.8.2". */
  readonly says: string;
}

const STATUS_OF: Readonly<Partial<Record<string, Status>>> = {
  truePositiveDetermination: "affected",
  fixNotPlanned: "affected",
  pendingUpstreamFix: "affected",
  fixed: "fixed",
  patched: "fixed",
  falsePositiveDetermination: "not_affected",
};

interface Said {
  readonly note?: string | undefined;
  readonly type?: string | undefined;
  readonly fixedVersion?: string | undefined;
  readonly patchedVersions?: readonly string[] | undefined;
}

/** The data of an event, stored under the key of its type. */
export const dataOf = (event: AdvisoryEvent): Said => {
  const type = eventTypeOf(event);
  return Object(type && event[type]);
};

/** The versions that an event declares fixed: of each of its ranges, or the one of the published field. */
export const fixedIn = (event: AdvisoryEvent): readonly string[] => {
  const { fixedVersion, patchedVersions = [] } = dataOf(event);
  const ofRanges = (event.affectedRanges ?? []).flatMap(({ fixed }) => fixed ?? []);
  if (fixedVersion && ofRanges.length > 1) return ofRanges;
  return fixedVersion ? [fixedVersion] : patchedVersions;
};

export const reasonOf = (event: AdvisoryEvent) => REASONS[event.falsePositiveDetermination?.type ?? ""];

const statusOf = (event: AdvisoryEvent | undefined): Status =>
  STATUS_OF[(event && eventTypeOf(event)) ?? ""] ?? "under_investigation";
const saysOf = (event: AdvisoryEvent | undefined): string => {
  const type = event && eventTypeOf(event);
  return type === undefined ? "No approved events yet" : EVENT_WORDS[type];
};
const withVersions = (says: string, versions: readonly string[]): string =>
  versions.length > 0 ? `${says} in ${versions.join(", ")}` : says;

/** The record that states an event, else who wrote it. */
const sourceOf = ({ sourceId, author }: AdvisoryEvent): string => sourceId || author || "";

/** What the newest event of each other source says, if it differs. A detection is no opinion. */
function othersOf(events: readonly AdvisoryEvent[], decisive: AdvisoryEvent | undefined): OtherOpinion[] {
  if (!decisive) return [];
  const own = sourceOf(decisive);
  const sources = [...new Set(events.map(sourceOf))].filter((source) => source !== own);
  const wordsOf = (event: AdvisoryEvent) => withVersions(saysOf(event), fixedIn(event));
  return sources
    .flatMap((source) => newestEvent(events.filter((event) => sourceOf(event) === source)) ?? [])
    .filter((event) => event.detection === undefined && wordsOf(event) !== wordsOf(decisive))
    .toSorted(byDescending(({ createTime = "" }) => createTime, sourceOf))
    .map((event) => ({ source: sourceOf(event), url: event.sourceUrl, says: wordsOf(event) }));
}

export function verdictOf({ events = [] }: Pick<Advisory, "events">): Verdict {
  const event = newestEvent(events);
  const newest = newestEvent(events, false);
  return {
    status: statusOf(event),
    event,
    says: saysOf(event),
    fixedIn: event ? fixedIn(event) : [],
    reason: event && reasonOf(event),
    note: (event && dataOf(event).note) || undefined,
    affected: event ? affectedText(event) : [],
    pending:
      newest?.reviewState === "REVIEW_STATE_PENDING"
        ? withVersions(saysOf(newest), fixedIn(newest))
        : undefined,
    others: othersOf(events, event),
  };
}

/** The status in the words of the newest approved event, such as "Fixed in 3.5.1-r2". */
export function newestText(advisory: Pick<Advisory, "events">): string {
  const { says, fixedIn: versions } = verdictOf(advisory);
  return withVersions(says, versions);
}
