import { linkOptions } from "@tanstack/react-router";

import { infinite } from "~/api/queries/queries";
import { listDocuments } from "platform-contract/advisory/documents";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { advisories, type Advisory } from "platform-contract/vulnerabilities/advisories";
import { EVENT_TYPES, type EventType } from "platform-contract/vulnerabilities/events";
import { severityWord } from "./calculator";
import { readId } from "./ids";
import { EVENT_WORDS, REVIEW_WORDS } from "./words";
import { scopeQuery, type Scope } from "~/frame/scope/scope";
import { defineScreens } from "~/frame/define";
import {
  choice,
  date,
  exact,
  flag,
  pinned,
  searched,
  type Filter,
  type SearchOf,
} from "~/frame/list/filters";
import type { Address } from "~/frame/scope/address";
import { keysOf } from "~/ui/keys";

/** An exact filter whose query parameter is a list. */
const among = (parameter: string, label: string): Filter<unknown> => ({
  ...exact(parameter, label),
  query: (value) => ({ [parameter]: [value] }),
});

/** Advisory ids have the format of GHSA ids. */
const isOwnId = (id: string): boolean => /^(?!GHSA-)[A-Z]+(?:-[0-9a-z]{4}){3}$/.test(id);
const isId = (text: string): boolean => isOwnId(readId(text)) || /^(?:CVE|GHSA)-/.test(readId(text));
const anyId: Filter<unknown> = {
  ...exact("aliases", "CVE, GHSA or advisory id"),
  parse: (text) => readId(text) || undefined,
  query: (value) => ({ [isOwnId(value) ? "advisoryIds" : "aliases"]: [value] }),
};

const EVENTS = keysOf(EVENT_TYPES).map((type) => ({
  value: type,
  label: EVENT_WORDS[type].toLowerCase(),
}));
const filterOf = (value: string): string => EVENT_TYPES[value as EventType];

const REVIEWS = Object.entries(REVIEW_WORDS).map(([state, words]) => ({
  value: state.replace("REVIEW_STATE_", "").toLowerCase().replace("_", "-"),
  label: words.toLowerCase(),
}));
const reviewOf = (value: string): string => `REVIEW_STATE_${value.toUpperCase().replace("-", "_")}`;

const NOT_RATED = "unrated";
const SEVERITIES = [
  ...["critical", "high", "medium", "low", "none"].map((value) => ({ value, label: value })),
  { value: NOT_RATED, label: "not scored" },
];

const EPSS_STEPS = [
  ["0.01", "1% or more"],
  ["0.1", "10% or more"],
  ["0.5", "50% or more"],
  ["0.9", "90% or more"],
].map(([value = "", label = ""]) => ({ value, label }));

const filters = {
  id: searched(anyId, isId),
  contains: searched({
    ...exact("query", "Artifact, component or alias"),
    describe: (value: string) => `artifact, component or alias contains "${value}"`,
  }),
  severity: pinned(
    choice<Advisory>("Severity", SEVERITIES, {
      matches:
        (value) =>
        ({ severities }) =>
          (severityWord(severities)?.toLowerCase() ?? NOT_RATED) === value,
    }),
  ),
  exploited: flag("Known exploited (KEV)", { query: () => ({ knownExploited: true }) }),
  epss: choice("EPSS", EPSS_STEPS, { query: (value) => ({ minEpss: value }) }),
  artifact: among("artifactNames", "Artifact"),
  component: among("componentNames", "Component"),
  applies: among("appliesTo", "Applies to"),
  latest: choice("Newest event", EVENTS, { query: (value) => ({ latestEventType: filterOf(value) }) }),
  event: choice("Has event", EVENTS, { query: (value) => ({ eventTypes: [filterOf(value)] }) }),
  review: choice("Review", REVIEWS, { query: (value) => ({ eventReviewStates: [reviewOf(value)] }) }),
  author: among("eventAuthors", "Author"),
  withdrawn: flag("Withdrawn too", { query: () => ({ showDeleted: true }) }),
  since: date<Advisory>("Updated since", {
    matches:
      (day) =>
      ({ updateTime = "" }) =>
        updateTime >= day,
  }),
};
export type AdvisorySearch = SearchOf<typeof filters>;

export const advisoryScreens = defineScreens(advisories, {
  filters,
  nameOf: ({ advisoryId, uid }: Advisory) => advisoryId || uid.slice(-16),
});

/** Selects the documents of an origin package, or those that mention a vulnerability. */
export interface DocumentSearch {
  readonly package?: string | undefined;
  readonly cve?: string | undefined;
}
export const readDocuments = (address: Address): DocumentSearch => {
  const { package: origin, cve } = address;
  return {
    ...(typeof origin === "string" && origin.trim() !== "" && { package: origin }),
    ...(typeof cve === "string" && readId(cve) !== "" && { cve: readId(cve) }),
  };
};
export const documentsOf = (search: DocumentSearch) => linkOptions({ to: "/advisories/documents", search });

export const documentsQuery = (scope: Scope, { package: origin, cve }: DocumentSearch) =>
  infinite(
    listDocuments,
    {
      ...scopeQuery(scope),
      ...(origin !== undefined && { id: origin }),
      ...(cve !== undefined && { cves: [cve] }),
      page_size: PAGE_SIZE_MAX,
    },
    { maxPages: Infinity },
  );
