import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { reference } from "../resource";
import { answeredEnum, capabilityName, timestamp } from "../schema";

const ASKED = "must name 1 to 20 capabilities";

/** - `DECISION_UNKNOWN`: not by what the caller sees, and a role granted further up, which they don't see, could allow it. */
export const DECISIONS = ["DECISION_ALLOWED", "DECISION_DENIED", "DECISION_UNKNOWN"] as const;

/** Why a role binding that would allow it does not. */
export const NO_EFFECT = ["NO_EFFECT_OUT_OF_REACH", "NO_EFFECT_ENDED"] as const;

const binding = z.looseObject({
  roleBinding: z.string(),
  group: z.string(),
  groupName: z.optional(z.string()),
  role: z.string(),
  roleName: z.optional(z.string()),
  /** When it ends or ended by itself. */
  expirationTime: z.optional(timestamp()),
  /** The asked capabilities that its role has. */
  capabilities: z.optional(z.array(z.string())),
  /** Missing if it counts. */
  noEffect: z.optional(answeredEnum(NO_EFFECT)),
});
export type DecidingBinding = z.infer<typeof binding>;

const remedy = z.looseObject({
  role: z.string(),
  roleName: z.optional(z.string()),
  /** What else the role would give there, besides the asked capabilities. */
  adds: z.optional(z.array(z.string())),
});
export type Remedy = z.infer<typeof remedy>;

const eligibleGrant = z.looseObject({
  eligibleGrant: z.string(),
  group: z.string(),
  groupName: z.optional(z.string()),
  role: z.string(),
  roleName: z.optional(z.string()),
});
export type EligibleRemedy = z.infer<typeof eligibleGrant>;

/**
 * Whether an identity may do something with a record, and why: decided by the function that decides every request.
 * Without `identity` it is about the caller and the token in use. About others it needs the role bindings there.
 */
export const explainAccess = endpoint({
  collection: "accessDecisions",
  verb: "get",
  method: "GET",
  path: "/access/v1/decisions",
  access: {
    at: "handler",
    needs: ["CAP_IAM_ROLE_BINDINGS_LIST"],
    because: "nothing is needed for a question about oneself",
  },
  query: {
    /** The record or group. */
    uid: reference("must be the uid of a record or group"),
    /** All of them are needed. */
    capabilities: z
      .array(capabilityName(), ASKED)
      .check(z.refine((values) => values.length > 0 && values.length <= 20, ASKED)),
    identity: z.optional(reference("must be the uid of an identity")),
  },
  answer: z.looseObject({
    decision: z.optional(answeredEnum(DECISIONS)),
    missing: z.optional(z.array(z.string())),
    /** The group in which the record is, or the group itself. */
    group: z.optional(z.string()),
    groupName: z.optional(z.string()),
    /** Role bindings of the identity there or above with one of the capabilities, as far as the caller sees them. */
    bindings: z.optional(z.array(binding)),
    /** The topmost groups below, at most 20, where the identity may do it; only if it may not in the whole group. */
    allowedBelow: z.optional(
      z.array(z.looseObject({ group: z.string(), groupName: z.optional(z.string()) })),
    ),
    /** The group of a machine, if the record is outside of it: no role there would count. */
    home: z.optional(z.string()),
    homeName: z.optional(z.string()),
    /** The directory has deactivated the person: they can't sign in. */
    deactivated: z.optional(z.boolean()),
    /** About oneself: the identity may, but the token in use is limited. */
    tokenLimited: z.optional(z.boolean()),
    /**
     * Roles that have everything asked, at most five: first those that allow the fewest other changes, then those that
     * give the least besides.
     */
    remedies: z.optional(z.array(remedy)),
    /** What the identity could switch on there or above to be allowed; it counts for nothing until then. */
    eligibleGrants: z.optional(z.array(eligibleGrant)),
  }),
  summary: "Whether an identity may do something with a record, and why",
});
