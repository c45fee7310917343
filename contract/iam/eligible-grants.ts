import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { KINDS } from "../kinds";
import { reference, resource, type ItemOf } from "../resource";
import { answeredEnum, durationText, openEnum, text, timestamp } from "../schema";

/** Seconds for which an eligible grant can let its role be switched on at a time. */
export const MAX_DURATION = { least: 3_600, most: 86_400 } as const;
/** Seconds of the shortest switching on. */
export const LEAST_DURATION = 300;
/** Days that a request waits for approval; after that it is gone. */
export const WAITING_DAYS = 7;

export const ACTIVATION_STATES = [
  "ACTIVATION_STATE_WAITING",
  "ACTIVATION_STATE_ACTIVE",
  "ACTIVATION_STATE_DECLINED",
] as const;

/** Why an eligible grant cannot be switched on now, approved or switched off: types of the violations of the refusal. */
export const ELIGIBLE_REFUSALS = {
  /** It could be switched on until a time that has passed. */
  ended: "ELIGIBLE_GRANT_ENDED",
  /** It is switched on already. */
  active: "ELIGIBLE_GRANT_ACTIVE",
  /** It waits for approval already. */
  waiting: "ELIGIBLE_GRANT_WAITING",
  /** Nobody waits for approval, or it is not switched on. */
  idle: "ELIGIBLE_GRANT_IDLE",
  /** The token shows no second factor. */
  secondFactor: "SECOND_FACTOR_REQUIRED",
  /** The person has the role there already, by a role binding of its own. */
  held: "ROLE_HELD",
} as const;

const named = z.object({ uid: z.string(), name: z.optional(z.string()) });
const reason = (sentence: string) => text({ pattern: /^(?=.*\S).{1,500}$/su, sentence });

/**
 * An extension: a role that a person can switch on for hours, with a reason. It is no role binding, and gives nothing until
 * then; switching it on creates one that ends.
 */
export const eligibleGrants = resource({
  kind: KINDS.eligibleGrants,
  settable: {
    identityUid: reference("must be the uid of a person"),
    roleUid: reference("must be the uid of a role"),
    /** For how long it can be switched on at a time. */
    maxDuration: durationText(MAX_DURATION.least, MAX_DURATION.most),
    /** Somebody else has to approve each time. */
    requireApproval: z.optional(z.boolean("must be true or false")),
    /** Only with a token of a sign-in with a second factor. */
    requireSecondFactor: z.optional(z.boolean("must be true or false")),
    /** Until when it can be switched on; nothing of it lasts longer. Missing: until it is deleted. */
    expirationTime: z.optional(timestamp()),
    description: z.optional(text({ characters: [0, 500], sentence: "must be at most 500 characters long" })),
  },
  output: {
    identity: z.optional(z.object({ ...named.shape, email: z.optional(z.string()) })),
    group: z.optional(named),
    role: z.optional(named),
    /** The identity that made it. */
    madeBy: z.optional(z.string()),
    madeByName: z.optional(z.string()),
    /** Missing if it is not switched on, does not wait and was not declined lately. */
    activation: z.optional(
      z.object({
        state: answeredEnum(ACTIVATION_STATES),
        duration: z.optional(z.string()),
        reason: z.optional(z.string()),
        requestTime: z.optional(timestamp()),
        /** When the role ends by itself. */
        endTime: z.optional(timestamp()),
        /** The role binding that it created. */
        roleBinding: z.optional(z.string()),
        /** Who approved or declined. */
        decidedBy: z.optional(z.string()),
        decidedByName: z.optional(z.string()),
        decideTime: z.optional(timestamp()),
        /** Why it was declined. */
        answer: z.optional(z.string()),
      }),
    ),
  },
  filters: {
    identity: z.optional(reference("must be a uid")),
    group: z.optional(reference("must be a uid")),
    role: z.optional(reference("must be a uid")),
    activation_state: z.optional(openEnum(ACTIVATION_STATES)),
  },
  sortable: ["uid", "created_at", "updated_at"],
});

export type EligibleGrant = ItemOf<typeof eligibleGrants>;

/** The caller's own, anywhere: what they can switch on, with what each needs. */
export const ownEligibleGrants = endpoint({
  collection: "eligibleGrants",
  verb: "own",
  method: "GET",
  path: "/access/v1/eligibleGrants:own",
  access: { at: "anyone", needs: [] },
  answer: z.looseObject({
    eligibleGrants: z.optional(z.array(eligibleGrants.answer)),
    /** True if the token is of a sign-in with a second factor. */
    secondFactor: z.optional(z.boolean()),
  }),
  summary: "List the caller's own eligible grants",
});

/** For the person of the eligible grant alone; for everybody else it does not exist. */
export const activateEligibleGrant = endpoint({
  collection: "eligibleGrants",
  verb: "activate",
  method: "POST",
  path: "/access/v1/eligibleGrants/{uid}:activate",
  access: { at: "anyone", needs: [] },
  body: z.object({
    duration: durationText(LEAST_DURATION, MAX_DURATION.most),
    reason: reason("must be 1 to 500 characters long: the audit log keeps it"),
  }),
  answer: eligibleGrants.answer,
  summary: "Switch on an eligible grant, or ask for approval if that is needed",
});

/** Creates the role binding; it lasts as long as was asked for, from now on. */
export const approveEligibleGrant = endpoint({
  collection: "eligibleGrants",
  verb: "approve",
  method: "POST",
  path: "/access/v1/eligibleGrants/{uid}:approve",
  access: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_CREATE"] },
  body: z.object({
    /** The request that is approved, so that nobody approves another one unseen. */
    requestTime: timestamp(),
  }),
  answer: eligibleGrants.answer,
  summary: "Approve that somebody else switches on an eligible grant",
});

export const declineEligibleGrant = endpoint({
  collection: "eligibleGrants",
  verb: "decline",
  method: "POST",
  path: "/access/v1/eligibleGrants/{uid}:decline",
  access: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_CREATE"] },
  body: z.object({ reason: reason("must be 1 to 500 characters long: the person who asked reads it") }),
  answer: eligibleGrants.answer,
  summary: "Decline that somebody switches on an eligible grant, with a reason for them",
});

export const deactivateEligibleGrant = endpoint({
  collection: "eligibleGrants",
  verb: "deactivate",
  method: "POST",
  path: "/access/v1/eligibleGrants/{uid}:deactivate",
  access: {
    at: "handler",
    needs: ["CAP_IAM_ROLE_BINDINGS_DELETE"],
    because: "the person of the eligible grant needs nothing",
  },
  body: z.object({}),
  answer: eligibleGrants.answer,
  summary: "Switch off an eligible grant, or withdraw the request for approval",
});
