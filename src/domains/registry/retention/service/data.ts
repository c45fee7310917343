import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { infinite } from "~/api/queries/queries";
import {
  getRetentionRule,
  listRetentionDeletions,
  listRetentionRules,
  listRetentionRuns,
  previewRetention,
  type RetentionRule,
} from "platform-contract/registry/retention";

/** What writes to a rule or a run change. */
export const RETENTION = ["retentionRules", "retentionRuns", "retentionDecisions", "retentionDeletions"];

/** The rule that decides at a group or repo: its own, or the nearest above. */
export const effectiveRule = (place: string) =>
  queryOptions({
    queryKey: [getRetentionRule.collection, getRetentionRule.verb, place] as const,
    meta: {
      requests: () => [{ endpoint: getRetentionRule, path: { uid: place } }],
    } satisfies QueryFacts,
    queryFn: ({ signal }) => call(getRetentionRule, { path: { uid: place }, signal }),
  });

const PAGE = 50;

export const rulesQuery = (scope: string | undefined) =>
  infinite(
    listRetentionRules,
    { ...(scope !== undefined && { "uidp.descendants_of": scope }), page_size: PAGE },
    { maxPages: Infinity },
  );

export const decisionsQuery = (place: string, deleted: boolean | undefined) =>
  infinite(
    previewRetention,
    { ...(deleted !== undefined && { deleted }), page_size: 100 },
    { path: { uid: place }, maxPages: Infinity },
  );

export const runsQuery = (place: string) =>
  infinite(listRetentionRuns, { "uidp.children_of": place, page_size: 10 }, { maxPages: Infinity });

/** One run of a place. */
export const runQuery = (run: string) =>
  infinite(listRetentionRuns, { "uidp.ids": [run], page_size: 1 }, { maxPages: 1 });

export const deletionsQuery = (run: string) =>
  infinite(listRetentionDeletions, { page_size: 100 }, { path: { uid: run }, maxPages: Infinity });

const STATES: Readonly<
  Record<string, { readonly word: string; readonly tone: "success" | "warning" | "neutral" }>
> = {
  RETENTION_STATE_UNCONFIRMED: { word: "Waits for a confirmed preview", tone: "warning" },
  RETENTION_STATE_RUNNING: { word: "Runs daily", tone: "success" },
  RETENTION_STATE_OFF: { word: "Stopped", tone: "neutral" },
};

export const stateOf = ({ state = "" }: Pick<RetentionRule, "state">) =>
  STATES[state] ?? { word: state, tone: "neutral" as const };
