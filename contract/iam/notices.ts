import * as z from "zod/mini";

import { listParameters } from "../aip";
import { endpoint } from "../endpoint";
import { listEndpoint, reference } from "../resource";
import { openEnum, timestamp } from "../schema";

const ANYONE = { at: "anyone", needs: [] } as const;

/** What can end by itself, and access reviews that wait for somebody until they are due. */
export const NOTICE_TOPICS = [
  "NOTICE_TOPIC_KEYS",
  "NOTICE_TOPIC_ROLE_BINDINGS",
  "NOTICE_TOPIC_INVITES",
  "NOTICE_TOPIC_SYNCS",
  "NOTICE_TOPIC_SCIM_TOKENS",
  "NOTICE_TOPIC_REVIEWS",
] as const;
export type NoticeTopic = (typeof NOTICE_TOPICS)[number];

/** Days before an end at which its owners are told. */
export const NOTICE_DAYS = [30, 7, 1] as const;

const ending = z.looseObject({
  topic: z.string(),
  /** uid of what ends: an identity with keys, a role binding, an invite, a synced repo, an identity provider, or an
   * access review. */
  uid: z.string(),
  /** Its name: of a role binding, the role's; of an invite, the address that it is for. */
  name: z.optional(z.string()),
  /** Of a role binding: who has the role. */
  identityName: z.optional(z.string()),
  groupUid: z.optional(z.string()),
  groupName: z.optional(z.string()),
  endTime: z.optional(timestamp()),
  /** Of keys: the latest end that they can be given. */
  latestEndTime: z.optional(timestamp()),
});
export type Ending = z.infer<typeof ending>;

/** Endings that one answer lists. */
export const MOST_ENDINGS = 200;

/**
 * An extension: what ends within 30 days that the caller owns, soonest first. A role belongs to the person who has it, an
 * invite to who made it, a machine's keys and roles to the machine's owner; everything else, and what has no owner, to the
 * owners of its group, or of the nearest group above that has any. Machines own nothing. An access review belongs to whoever it
 * waits for, and stays in the list when it is overdue.
 */
export const ownEndings = endpoint({
  collection: "endings",
  verb: "own",
  method: "GET",
  path: "/notices/v1/endings",
  access: ANYONE,
  answer: z.looseObject({
    endings: z.optional(z.array(ending)),
    /** True if there are more. */
    more: z.optional(z.boolean()),
  }),
  summary: "List what the caller owns that ends soon",
});

const settings = {
  /** Topics that the person wants no mail about. */
  mutedTopics: z.optional(z.array(openEnum(NOTICE_TOPICS)).check(z.maxLength(NOTICE_TOPICS.length))),
  /** No mail until then, in the future; missing if mails aren't paused. */
  pauseEndTime: z.optional(timestamp()),
};
const settingsAnswer = z.looseObject({
  mutedTopics: z.optional(z.array(z.string())),
  pauseEndTime: z.optional(timestamp()),
  /** The confirmed address that mails go to; missing if there is none. */
  email: z.optional(z.string()),
  /** True if the service sends mail about endings. */
  sendsMail: z.optional(z.boolean()),
});

/** An extension: what the caller wants mail about. Only people have such settings. */
export const getNoticeSettings = endpoint({
  collection: "noticeSettings",
  verb: "get",
  method: "GET",
  path: "/notices/v1/settings",
  access: ANYONE,
  answer: settingsAnswer,
  summary: "Get what the caller wants mail about",
});

/** Replaces all of them. */
export const updateNoticeSettings = endpoint({
  collection: "noticeSettings",
  verb: "update",
  method: "PATCH",
  path: "/notices/v1/settings",
  access: ANYONE,
  body: z.object(settings),
  answer: settingsAnswer,
  summary: "Set what the caller wants mail about",
});

const machineOwner = z.looseObject({
  /** Of the machine. */
  uid: z.string(),
  name: z.optional(z.string()),
  groupUid: z.optional(z.string()),
  ownerUid: z.optional(z.string()),
  ownerName: z.optional(z.string()),
  ownerEmail: z.optional(z.string()),
  updateTime: z.optional(timestamp()),
});
export type MachineOwner = z.infer<typeof machineOwner>;

/** An extension: the people who answer for machines. A machine that is not listed has no owner but those of its group. */
export const listMachineOwners = listEndpoint({
  collection: "machineOwners",
  path: "/notices/v1/machineOwners",
  access: { at: "visible", needs: ["CAP_IAM_IDENTITY_LIST"] },
  row: machineOwner,
  filters: {
    "uidp.descendants_of": listParameters["uidp.descendants_of"],
    identity: z.optional(reference("must be the uid of an identity")),
    owner: z.optional(reference("must be the uid of an identity")),
  },
  sortable: ["uid", "updated_at"],
  summary: "List the owners of machines",
});

export const setMachineOwner = endpoint({
  collection: "machineOwners",
  verb: "set",
  method: "PATCH",
  path: "/notices/v1/machineOwners/{uid}",
  access: { at: "uid", needs: ["CAP_IAM_IDENTITY_UPDATE"] },
  body: z.object({
    /** A person who has a role in the machine's organization; empty: nobody but the owners of its group. */
    ownerUid: z.optional(z.string()),
  }),
  answer: machineOwner,
  summary: "Set the owner of a machine",
});
