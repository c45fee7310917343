import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { capabilityName, NAME_BYTES, text, withFormat } from "../schema";

/** Seconds that an exchanged token is valid. */
export const EXCHANGED_SECONDS = 3_600;

const SCOPES = "must be at most 20 uids of groups";
const CAPS = "must be at most 100 names of capabilities";
const uid = text({ bytes: NAME_BYTES });

const query = {
  /** Audiences; this service is the only one that its tokens are for. */
  aud: z.optional(z.array(text({ bytes: NAME_BYTES })).check(z.maxLength(20, "at most 20 audiences"))),
  /** Uid of the identity to act as; can be left out if the token matches only one. */
  identity: z.optional(uid),
  /** Capabilities that the new token has at most. */
  cap: z.optional(z.array(capabilityName(), CAPS).check(z.maxLength(100, CAPS))),
  /** Groups that the new token is limited to; roles given above count there as well. */
  scopes: z.optional(z.array(uid, SCOPES).check(z.maxLength(20, SCOPES))),
  /** Deprecated: one more of `scopes`. */
  scope: z.optional(uid),
  /** For people of an identity provider, who sign in with a browser here: has to be empty. */
  identityProvider: z.optional(uid),
};

const shared = {
  collection: "tokens",
  path: "/sts/exchange",
  access: { at: "anyone", needs: [] },
  query,
  answer: z.looseObject({ token: z.string(), expiry: withFormat("timestamp", z.string()) }),
  summary: "Exchange the token of a workload's own issuer for a token of this service",
  isToken: true,
} as const;

/**
 * Exchanges a workload's OIDC token, sent as the bearer token, for a token of one identity that it matches (in the spirit
 * of RFC 8693; published with query parameters instead of a form).
 */
export const exchangeToken = endpoint({ ...shared, verb: "exchange", method: "POST" });
export const exchangeTokenByGet = endpoint({ ...shared, verb: "exchangeByGet", method: "GET" });
