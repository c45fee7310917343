import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { reference } from "../resource";
import { timestamp } from "../schema";
import { AUDIT_ACCESS } from "./entries";

/** A role that someone had at a group, and therefore below it. */
const held = z.looseObject({
  roleBinding: z.string(),
  group: z.string(),
  groupName: z.optional(z.string()),
  identity: z.string(),
  identityName: z.optional(z.string()),
  role: z.string(),
  roleName: z.optional(z.string()),
  /** Only for a period: when it was given and taken away, if that was in the period. */
  startTime: z.optional(z.string()),
  endTime: z.optional(z.string()),
  /** When it ended after the requested time or period: taken away, changed to another role, or by itself. */
  endSinceTime: z.optional(z.string()),
  /** It was there when the log began, and is gone since: nobody knows when it was given, perhaps only after that time. */
  startUnknown: z.optional(z.boolean()),
  /** It was, or may have been, changed before the log began: nobody knows whose it was then, and which role. */
  changeUnknown: z.optional(z.boolean()),
});
export type HeldRole = z.infer<typeof held>;

/**
 * Who had which role at a time, or at any time of a period: today's role bindings, without what the log says has happened
 * since.
 */
export const getAuditAccess = endpoint({
  collection: "auditAccess",
  verb: "get",
  method: "GET",
  path: "/audit/v1/access",
  access: { at: "visible", needs: [AUDIT_ACCESS] },
  query: {
    /** The roles that count at this group: given there or above. */
    group: z.optional(reference("must be the uid of a group")),
    /** With a group: also the roles given in the groups below it. */
    below: z.optional(z.boolean("must be true or false")),
    /** The roles of this identity, anywhere. */
    identity: z.optional(reference("must be the uid of an identity")),
    time: timestamp(),
    /** The end of a period that begins at `time`. */
    until: z.optional(timestamp()),
  },
  answer: z.looseObject({
    held: z.optional(z.array(held)),
    /** The requested time. Before the log, `held` is what the bindings' own times tell. */
    time: z.optional(z.string()),
    until: z.optional(z.string()),
    /** Of a group: the topmost one whose role bindings the caller sees; `held` has none from above it. */
    topGroup: z.optional(z.string()),
    /** `below` was set, but too much has changed there since to tell: `held` is what counts at the group itself. */
    belowLeftOut: z.optional(z.boolean()),
    /** Since when the log knows; missing if the caller sees no group's. */
    knownSince: z.optional(z.string()),
    /** False if the log does not reach back to the requested time, left out part of an operation, or `held` is cut. */
    complete: z.optional(z.boolean()),
  }),
  summary: "Who had which role at a time",
});
