import * as z from "zod/mini";

import { listEndpoint } from "../resource";
import { answeredEnum, NAME_BYTES, text } from "../schema";
import { severity } from "../vulnerabilities/severity";
import { ADVISORY_ORDERS } from "./orders";

export const REFERENCE_TYPES = [
  "TYPE_UNSPECIFIED",
  "TYPE_ADVISORY",
  "TYPE_ARTICLE",
  "TYPE_DETECTION",
  "TYPE_DISCUSSION",
  "TYPE_REPORT",
  "TYPE_FIX",
  "TYPE_INTRODUCED",
  "TYPE_PACKAGE",
  "TYPE_EVIDENCE",
  "TYPE_WEB",
] as const;

const IDS = 1_000;

const metadata = z.looseObject({
  id: z.string(),
  summary: z.optional(z.string()),
  details: z.optional(z.string()),
  references: z.optional(
    z.array(z.looseObject({ type: z.optional(answeredEnum(REFERENCE_TYPES)), url: z.optional(z.string()) })),
  ),
  severities: z.optional(z.array(severity)),
});

/** Public facts about vulnerabilities; they belong to no group. */
export const listMetadata = listEndpoint({
  collection: "vulnerabilityMetadata",
  path: "/advisory/v2/metadata",
  access: { at: "anyone", needs: [] },
  row: metadata,
  filters: {
    id: z.optional(text({ bytes: NAME_BYTES })),
    ids: z.optional(
      z
        .array(text({ bytes: NAME_BYTES }))
        .check(z.refine((ids) => new Set(ids).size <= IDS, `must have at most ${IDS} distinct values`)),
    ),
  },
  takes: "pages",
  // The times of a vulnerability: when something was first read of it, and when that last changed.
  sortable: ADVISORY_ORDERS,
  summary: "List vulnerability metadata",
});

export type VulnerabilityMetadata = z.infer<typeof metadata>;
