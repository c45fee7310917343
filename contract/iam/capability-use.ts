import * as z from "zod/mini";

import { listParameters } from "../aip";
import { listEndpoint, reference } from "../resource";
import { capabilityName, int64Text, timestamp } from "../schema";

/** Groups at which the use of a list counts that names no place: a person in thousands of groups is no thousand rows. */
export const USE_PLACES_MOST = 50;

const row = z.looseObject({
  identity: z.string(),
  /** The wire name, such as `CAP_REPO_LIST`. */
  capability: z.string(),
  /** The group in which the records of the calls are. */
  group: z.string(),
  /** A day in UTC, `2026-01-28`; only if asked for by day. */
  day: z.optional(z.string()),
  callCount: z.optional(int64Text()),
  firstTime: z.optional(timestamp()),
  lastTime: z.optional(timestamp()),
});
export type CapabilityUse = z.infer<typeof row>;

/**
 * An extension: which capabilities identities have used, where, and when. A call that needs two capabilities counts for
 * both; refused calls are in the audit log instead. Callers who cannot list the role bindings of a group get their own use.
 */
export const listCapabilityUse = listEndpoint({
  collection: "capabilityUse",
  path: "/access/v1/use",
  access: { at: "visible", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
  row,
  filters: {
    "uidp.descendants_of": listParameters["uidp.descendants_of"],
    identity: z.optional(reference("must be the uid of an identity")),
    capability: z.optional(capabilityName()),
    since: z.optional(timestamp()),
    by_day: z.optional(z.boolean("must be true or false")),
  },
  beside: {
    /** Since when use is recorded; nothing is known of what was before. Missing if it never was. */
    recordedSince: z.optional(timestamp()),
  },
  takes: "pages",
  summary: "List which capabilities identities have used, where, and when last",
});
