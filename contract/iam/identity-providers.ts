import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { reference, resource, type InputOf, type ItemOf } from "../resource";
import { answeredEnum, NAME_BYTES, openEnum, text, timestamp, webAddressText } from "../schema";

/** Which claim of a sign-in is the `externalId` of the user that the directory pushed. */
export const CORRELATION_RULES = [
  "CORRELATION_RULE_UNSPECIFIED",
  "CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID",
  "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID",
] as const;

export const CREDENTIAL_STATES = [
  "CREDENTIAL_STATE_UNSPECIFIED",
  "CREDENTIAL_STATE_NOT_ISSUED",
  "CREDENTIAL_STATE_LIVE",
  "CREDENTIAL_STATE_EXPIRED",
  "CREDENTIAL_STATE_REVOKED",
  "CREDENTIAL_STATE_ROTATING",
] as const;

const scim = z.looseObject({
  enabled: z.optional(z.boolean()),
  endpointUrl: z.optional(z.string()),
  /** Only when a single provider is read; missing for a token that never expires. */
  tokenExpireTime: z.optional(timestamp()),
  /** The end of a rotation. */
  previousTokenExpireTime: z.optional(timestamp()),
  /** Only when a single provider is read. */
  credentialState: z.optional(answeredEnum(CREDENTIAL_STATES)),
  etag: z.optional(z.string()),
});

const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

export const oidcSettings = z.object(
  {
    // Must exactly match the issuer's own metadata, so it is stored as written.
    issuer: webAddressText({ http: "loopback", query: false, fragment: false, bytes: NAME_BYTES }),
    clientId: text({ pattern: /\S/, sentence: "required", bytes: NAME_BYTES }),
    clientSecret: z.optional(text()),
    additionalScopes: z.optional(
      z
        .array(
          text({
            pattern: SCOPE,
            sentence: "must not contain quotes or spaces",
            bytes: NAME_BYTES,
          }),
          "must be a list",
        )
        .check(z.maxLength(20, "must have at most 20 scopes")),
    ),
    groupsClaim: z.optional(text({ bytes: NAME_BYTES })),
    correlationRule: z.optional(openEnum(CORRELATION_RULES)),
    pkceEnabled: z.optional(z.boolean("must be true or false")),
  },
  "oidc must contain issuer and clientId",
);

/** Where the users of an organization sign in instead of here. */
export const identityProviders = resource({
  kind: KINDS.identityProviders,
  settable: {
    name: text({ characters: [3, 63], sentence: "must be 3 to 63 characters long" }),
    description: z.optional(text()),
    defaultRole: reference("must be the uid of a role"),
    oidc: oidcSettings,
  },
  output: { scim: z.optional(scim) },
  behavior: { secret: ["oidc.clientSecret"], createOnly: ["oidc.correlationRule"] },
  filters: { name: z.optional(z.string()) },
  // Our own: only the service that gave a reservation takes one (provider-setup.ts).
  createWith: { reservation: z.optional(text()) },
});

export type IdentityProvider = ItemOf<typeof identityProviders>;
export type IdentityProviderInput = InputOf<typeof identityProviders>;
