import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { listEndpoint } from "../resource";
import { text, timestamp } from "../schema";
import { groups } from "./groups";

const ANYONE = { at: "anyone", needs: [] } as const;
/** Requests are for those who can grant the access. */
export const DECIDES = ["CAP_IAM_ROLE_BINDINGS_CREATE"] as const;

/** The organization of the caller's email domain, if it is verified and the caller signs in with its provider. */
export const lookupGroup = endpoint({
  collection: "groups",
  verb: "lookupGroup",
  method: "GET",
  path: "/iam/v2/groups:lookupGroup",
  access: ANYONE,
  answer: z.looseObject({ group: z.optional(groups.answer) }),
  summary: "Look up the verified organization of the caller's email domain",
});

/**
 * Asks for access to a group. The answer is the same whether or not the group exists: whoever has its uid has it from a
 * link, and learns nothing.
 */
export const requestGroupAccess = endpoint({
  collection: "groups",
  verb: "requestGroupAccess",
  method: "POST",
  path: "/iam/v2/groups/{uid}:requestGroupAccess",
  access: ANYONE,
  body: z.object({
    /** For those who decide. */
    message: z.optional(text({ characters: [0, 500], sentence: "must be at most 500 characters long" })),
  }),
  answer: z.looseObject({}),
  summary: "Ask for access to a group",
});

export const checkEligibility = endpoint({
  collection: "groups",
  verb: "checkEligibility",
  method: "GET",
  path: "/iam/v2/groups:checkEligibility",
  access: ANYONE,
  answer: z.looseObject({ eligible: z.optional(z.boolean()) }),
  summary: "Check whether the caller's email domain can have an organization",
});

const request = z.looseObject({
  uid: z.string(),
  groupUid: z.optional(z.string()),
  groupName: z.optional(z.string()),
  /** Who asks. */
  identityUid: z.optional(z.string()),
  name: z.optional(z.string()),
  /** Confirmed by a mail from here, or by their provider. */
  email: z.optional(z.string()),
  emailUnverified: z.optional(z.string()),
  message: z.optional(z.string()),
  createTime: z.optional(z.string()),
});

export type AccessRequest = z.infer<typeof request>;

/** Requests that wait for an answer, for those who can grant access to their groups. */
export const listAccessRequests = listEndpoint({
  collection: "accessRequests",
  path: "/iam/v2/accessRequests",
  access: { at: "visible", needs: DECIDES },
  row: request,
  filters: {},
  sortable: ["created_at", "uid"],
  summary: "List the access requests that wait for an answer",
});

/** To grant a request, create a role binding. */
export const declineAccessRequest = endpoint({
  collection: "accessRequests",
  verb: "decline",
  method: "POST",
  path: "/iam/v2/accessRequests/{uid}:decline",
  access: { at: "uid", needs: DECIDES },
  body: z.object({
    reason: text({
      pattern: /^(?=.*\S).{1,500}$/su,
      sentence: "must be 1 to 500 characters long: the person who asked reads it",
    }),
  }),
  answer: z.looseObject({}),
  summary: "Decline an access request, with a reason for the person who asked",
});

const own = z.looseObject({
  groupUid: z.string(),
  /** What they wrote. */
  message: z.optional(z.string()),
  /** `pending`, `granted` or `declined`. */
  state: z.optional(z.string()),
  /** Why it was declined. */
  reason: z.optional(z.string()),
  createTime: z.optional(timestamp()),
  /** When it was granted or declined; missing if an invite or a directory gave the role. If granted, also by whom. */
  decideTime: z.optional(timestamp()),
  byName: z.optional(z.string()),
  byEmail: z.optional(z.string()),
  /** Names of the roles that the person was given there or above since they asked, and still has. */
  roleNames: z.optional(z.array(z.string())),
  /** Name of the role that was given last, when it was given; also once it has been removed. */
  grantedRoleName: z.optional(z.string()),
  /** When the role that was given last was removed, and by whom, as far as the audit log tells; only if none is left. */
  removeTime: z.optional(timestamp()),
  removedByName: z.optional(z.string()),
  /** When the granted role ends or ended, if it does. */
  expirationTime: z.optional(timestamp()),
});

export type OwnRequest = z.infer<typeof own>;

/** The caller's own requests of the last 30 days, newest first; says nothing of the groups. */
export const ownAccessRequests = endpoint({
  collection: "accessRequests",
  verb: "own",
  method: "GET",
  path: "/iam/v2/accessRequests:own",
  access: ANYONE,
  answer: z.looseObject({ accessRequests: z.optional(z.array(own)) }),
  summary: "List the caller's own access requests",
});
