import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { KINDS } from "../kinds";
import { reference, resource, type ItemOf } from "../resource";
import { answeredEnum, capabilityName, durationText, text } from "../schema";

/** Lifetime limits of an invite, in seconds. */
export const TTL = { least: 60, most: 30 * 24 * 3600 } as const;

/** How far the mail with an invite is: sent says that the mail server took it, not that it was read. */
export const EMAIL_STATES = [
  "EMAIL_STATE_UNSPECIFIED",
  "EMAIL_STATE_QUEUED",
  "EMAIL_STATE_SENT",
  "EMAIL_STATE_FAILED",
] as const;

const invitedRole = z.object({
  uid: z.string(),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  capabilities: z.optional(z.array(capabilityName())),
});

/** A code that users redeem for a role at a group. */
export const groupInvites = resource({
  kind: KINDS.groupInvites,
  settable: {
    roleUid: reference("must be the uid of a role"),
    email: z.optional(
      text({
        pattern: /^[^\s@]{1,64}@[^\s@]{1,189}$/,
        sentence: "must be an address such as name@example.com",
      }),
    ),
    ttl: durationText(TTL.least, TTL.most),
    singleUse: z.optional(z.boolean("must be true or false")),
    /** Mails the code to `email`. An extension: the published API sends no mail. */
    sendEmail: z.optional(z.boolean("must be true or false")),
  },
  output: {
    emailState: z.optional(answeredEnum(EMAIL_STATES)),
    role: z.optional(invitedRole),
    expirationTime: z.optional(z.string()),
    code: z.optional(z.string()),
    keyId: z.optional(z.string()),
    createdBy: z.optional(
      z.object({ uid: z.string(), name: z.optional(z.string()), email: z.optional(z.string()) }),
    ),
  },
  behavior: { inputOnly: ["ttl", "sendEmail"], createOnly: ["sendEmail"], shownOnce: ["code"] },
  filters: { keyId: z.optional(z.string()) },
  // An invite has no name of its own: `name` is the email (every list sorts by name).
  sortable: ["uid", "name", "created_at", "updated_at", "expiration_time"],
});

export type GroupInvite = ItemOf<typeof groupInvites>;

/**
 * Redeems a code: the caller gets the role at the group. With `validateOnly` (AIP-163) the response is the same and
 * nothing changes, so that users see what they would join.
 */
export const register = endpoint({
  collection: "groupInvites",
  verb: "register",
  withoutValidateOnly: true,
  method: "POST",
  path: "/auth/v1/register",
  access: { at: "anyone", needs: [] },
  body: z.object({
    code: text({ characters: [1, 1_000], sentence: "required" }),
    validateOnly: z.optional(z.boolean("must be true or false")),
  }),
  answer: z.looseObject({
    /** uids of the group and of the identity that joins it. */
    group: z.string(),
    identity: z.string(),
    groupName: z.optional(z.string()),
    role: z.optional(
      z.looseObject({ uid: z.string(), name: z.optional(z.string()), description: z.optional(z.string()) }),
    ),
    expirationTime: z.optional(z.string()),
  }),
  summary: "Redeem an invite code, or preview what it grants",
});
