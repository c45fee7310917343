import * as z from "zod/mini";

import { endpoint, type Schema } from "../endpoint";
import { durationText, text, timestamp } from "../schema";

/** Every SCIM operation needs both (contract 1.5). */
const MANAGES = {
  at: "uid",
  needs: ["CAP_IAM_SCIM_MANAGE", "CAP_IAM_IDENTITY_PROVIDERS_LIST"],
} as const;

/** Seconds that a token is valid at most, and by default. */
export const SCIM_TOKEN_SECONDS = { most: 2 * 365 * 86_400, usual: 365 * 86_400 };
/** Seconds that the previous token stays valid after a rotation, at most and by default. */
export const SCIM_OVERLAP_SECONDS = { most: 86_400, usual: 3_600 };

const shared = { collection: "identityProviders", access: MANAGES } as const;
const pathOf = (verb: string) => `/iam/v2/identityProviders/{uid}:${verb}`;

const expiry = {
  /** Up to two years from now; a year if left out. */
  expireTime: z.optional(timestamp()),
  /** Excludes `expireTime`. */
  neverExpires: z.optional(z.boolean("must be true or false")),
};
const etag = text({ pattern: /\S/, sentence: "etag is required: read the identity provider first" });
const time = z.optional(timestamp());

/** The token is in no other response, not even in one that is repeated for its Idempotency-Key. */
const issued = {
  token: z.optional(z.string()),
  endpointUrl: z.optional(z.string()),
  /** Missing for a token that never expires. */
  expireTime: time,
  identityProviderUid: z.optional(z.string()),
  etag: z.optional(z.string()),
};

export const generateScimToken = endpoint({
  ...shared,
  verb: "generateScimToken",
  method: "POST",
  path: pathOf("generateScimToken"),
  body: z.object(expiry),
  answer: z.looseObject(issued),
  shownOnce: ["token"],
  summary: "Create the first SCIM token of an identity provider",
});

/** Replaces the token; the previous one stays valid for `overlap`. */
export const regenerateScimToken = endpoint({
  ...shared,
  verb: "regenerateScimToken",
  method: "POST",
  path: pathOf("regenerateScimToken"),
  body: z.object({
    /** How long the previous token stays valid; an hour if left out, none for 0s. */
    overlap: z.optional(durationText(0, SCIM_OVERLAP_SECONDS.most)),
    ...expiry,
    etag,
  }),
  answer: z.looseObject({
    ...issued,
    /** When the previous token ends; missing if it has ended. */
    previousTokenExpireTime: time,
    requestedOverlap: z.optional(durationText(0, SCIM_OVERLAP_SECONDS.most)) as Schema<string | undefined>,
  }),
  shownOnce: ["token"],
  summary: "Replace the SCIM token of an identity provider",
});

export const revokeScimToken = endpoint({
  ...shared,
  verb: "revokeScimToken",
  method: "POST",
  path: pathOf("revokeScimToken"),
  body: z.object({}),
  answer: z.looseObject({
    identityProviderUid: z.optional(z.string()),
    etag: z.optional(z.string()),
    enabled: z.optional(z.boolean()),
    revokeTime: time,
  }),
  summary: "Revoke the SCIM tokens of an identity provider",
});

export const setScimEnabled = endpoint({
  ...shared,
  verb: "setScimEnabled",
  method: "POST",
  path: pathOf("setScimEnabled"),
  body: z.object({ enabled: z.boolean("must be true or false"), etag }),
  answer: z.looseObject({
    identityProviderUid: z.optional(z.string()),
    enabled: z.optional(z.boolean()),
    etag: z.optional(z.string()),
  }),
  summary: "Turn SCIM of an identity provider on or off",
});

const group = z.looseObject({
  /** What a mapping names: the group's id at the directory, or its name if it has none. */
  externalGroupId: z.string(),
  name: z.optional(z.string()),
  memberCount: z.optional(z.number()),
});

/** Our own: what the directory has pushed so far. Groups are the first hundred by name that contain `search`. */
export const getPushed = endpoint({
  collection: "identityProviders",
  verb: "getPushed",
  method: "GET",
  path: pathOf("getPushed"),
  access: { at: "uid", needs: ["CAP_IAM_IDENTITY_PROVIDERS_LIST"] },
  query: { search: z.optional(text({ bytes: 200 })) },
  answer: z.looseObject({
    userCount: z.optional(z.number()),
    activeUserCount: z.optional(z.number()),
    groupCount: z.optional(z.number()),
    /** The last write of the directory. */
    pushTime: time,
    groups: z.optional(z.array(group)),
  }),
  summary: "Get what the directory of an identity provider has pushed",
});

export type Pushed = NonNullable<NonNullable<(typeof getPushed)["types"]>["answer"]>;
