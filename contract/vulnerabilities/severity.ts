import * as z from "zod/mini";

import { answeredEnum } from "../schema";

export const SEVERITY_TYPES = ["TYPE_UNSPECIFIED", "TYPE_CVSS_V2", "TYPE_CVSS_V3", "TYPE_CVSS_V4"] as const;

/** A CVSS score or vector, of some CVSS version. */
export const severity = z.looseObject({
  type: z.optional(answeredEnum(SEVERITY_TYPES)),
  score: z.optional(z.string()),
});

export type Severity = z.infer<typeof severity>;
