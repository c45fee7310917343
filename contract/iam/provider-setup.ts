import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { KINDS } from "../kinds";
import { NAME_BYTES, text, timestamp } from "../schema";
import { oidcSettings } from "./identity-providers";

/** Our own: what the form of an identity provider needs before there is one. None of it changes anything. */
const { create, update } = KINDS.identityProviders.access;
const shared = { collection: "identityProviders" } as const;
const CREATES = { at: "parent", needs: create.needs } as const;
const pathOf = (variable: string, verb: string) => `/federation/v1/identityProviders/{${variable}}:${verb}`;

/**
 * The uid and the redirect URI that a provider created with this reservation will have; nothing is stored. It is valid for
 * an hour, for this group and this caller.
 */
export const reserveProvider = endpoint({
  ...shared,
  verb: "reserve",
  method: "GET",
  path: pathOf("parent", "reserve"),
  access: CREATES,
  /** An earlier one of the caller, for the same uid again; up to a day after its end. */
  query: { reservation: z.optional(text()) },
  answer: z.looseObject({
    /** Of the provider to be: an answer's `uid` is that of a record. */
    reservedUid: z.string(),
    redirectUri: z.string(),
    reservation: z.string(),
    expireTime: z.optional(timestamp()),
  }),
  summary: "Reserve the uid and the redirect URI of an identity provider to be created",
});

const { issuer, additionalScopes } = oidcSettings.shape;
const findings = z.optional(z.array(z.looseObject({ field: z.string(), description: z.string() })));

/** Reads the discovery document and the keys of an issuer, by the rules of a sign-in. */
export const checkIssuer = endpoint({
  ...shared,
  verb: "checkIssuer",
  method: "GET",
  path: pathOf("parent", "checkIssuer"),
  access: CREATES,
  query: { issuer, additionalScopes },
  answer: z.looseObject({
    /** What keeps everybody from signing in. */
    violations: findings,
    /** What may be right, and is worth a look. */
    notes: findings,
    /** The issuer as its discovery document names it, which is the right one. */
    issuer: z.optional(z.string()),
    /** Keys that can verify ID tokens. */
    signingKeyCount: z.optional(z.number()),
    /** It announces PKCE with S256. */
    announcesPkce: z.optional(z.boolean()),
  }),
  summary: "Check whether people could sign in with an issuer",
});

/** Answers where to open a sign-in that is only tried. The draft is kept for ten minutes, its secret encrypted. */
export const testSignIn = endpoint({
  ...shared,
  verb: "testSignIn",
  refusesValidateOnly: true,
  method: "POST",
  path: pathOf("uid", "testSignIn"),
  access: {
    at: "handler",
    needs: update.needs,
    because: "a reserved uid needs what creating its provider needs",
  },
  body: z.object({
    /** For a provider that is not created yet: of the uid in the path. */
    reservation: z.optional(text()),
    /** Without a client secret, the stored one counts, with the stored issuer only. */
    oidc: oidcSettings,
    name: z.optional(text({ bytes: NAME_BYTES })),
  }),
  answer: z.looseObject({
    /** Works once, in the browser in which the caller is signed in. */
    startUri: z.string(),
    expireTime: z.optional(timestamp()),
  }),
  summary: "Start a test sign-in with settings that are not saved",
});
