import * as z from "zod/mini";

import { listParameters } from "../aip";
import { endpoint } from "../endpoint";
import { reference } from "../resource";
import { openEnum } from "../schema";

/** By what pulls can be counted. */
export const USAGE_GROUPINGS = [
  "USAGE_GROUPING_DAY",
  "USAGE_GROUPING_REPO",
  "USAGE_GROUPING_TAG",
  "USAGE_GROUPING_IDENTITY",
] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** Days for which pulls are counted unless a request says otherwise. */
export const USAGE_DAYS = 30;

const row = z.looseObject({
  /** A day in UTC: `2026-01-28`. */
  day: z.optional(z.string()),
  repo: z.optional(z.string()),
  repoName: z.optional(z.string()),
  tag: z.optional(z.string()),
  tagName: z.optional(z.string()),
  identity: z.optional(z.string()),
  identityName: z.optional(z.string()),
  /** The service knows this identity as a scanner: what it gets counts as asked for. */
  scanner: z.optional(z.boolean()),
  /** GETs of a manifest in the period. */
  downloads: z.optional(z.number()),
  /** HEADs in the period, which only ask whether a copy is fresh, and GETs of scanners. */
  asks: z.optional(z.number()),
  /** The last of each, also before the period. */
  lastDownloadTime: z.optional(z.string()),
  lastAskTime: z.optional(z.string()),
});
export type UsageRow = z.infer<typeof row>;

/**
 * An extension: what was pulled from the registry, by day, repo, tag and identity, as its notifications told. The pull
 * of a digest counts for every tag that named it then; numbers of a repo count it once. Callers who cannot list the role
 * bindings of a repo get their own pulls there.
 */
export const getRegistryUsage = endpoint({
  collection: "registryUsage",
  verb: "get",
  method: "GET",
  path: "/registry-usage/v1/usage",
  access: { at: "visible", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
  query: {
    /** Of all repos in this group, or of this repo. */
    "uidp.descendants_of": listParameters["uidp.descendants_of"],
    /** Of these repos, or of these tags. */
    "uidp.ids": listParameters["uidp.ids"],
    identity: z.optional(reference("must be the uid of an identity")),
    /** Only tags that are deprecated, and were pulled in the period by others than scanners. */
    deprecated: z.optional(z.boolean("must be true or false")),
    /** The period: days back from today, today included. */
    days: z.optional(
      z
        .int("must be a whole number")
        .check(z.minimum(1, "must be 1 or more"), z.maximum(3_660, "must be at most 3660")),
    ),
    by: z.optional(z.array(openEnum(USAGE_GROUPINGS)).check(z.maxLength(4, "must have at most 4 values"))),
  },
  answer: z.looseObject({
    usage: z.optional(z.array(row)),
    /** Since when pulls are counted; nothing is known of those before. Missing if none are. */
    countedSince: z.optional(z.string()),
    /** False if there are more rows than an answer has: these have the most downloads. */
    complete: z.optional(z.boolean()),
  }),
  summary: "Count pulls by day, repo, tag and identity",
});
