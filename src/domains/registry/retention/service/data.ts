import { infinite } from "~/api/queries/queries";
import {
  listRetentionDeletions,
  listRetentionRules,
  listRetentionRuns,
  previewRetention,
} from "platform-contract/registry/retention";

/** What writes to a rule or a run change. */
export const RETENTION = ["retentionRules", "retentionRuns", "retentionDecisions", "retentionDeletions"];

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
