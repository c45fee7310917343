import * as z from "zod/mini";

/** A score, or the vector of one, by a version of CVSS. */
export const severity = z.looseObject({ type: z.optional(z.string()), score: z.optional(z.string()) });

export type Severity = z.infer<typeof severity>;
