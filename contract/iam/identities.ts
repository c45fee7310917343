import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { resource, type InputOf, type ItemOf } from "../resource";
import { NAME_BYTES, openEnum, text, textMap, timestamp, webAddressText } from "../schema";

export const RELATIONSHIP_TYPES = [
  "RELATIONSHIP_TYPE_UNSPECIFIED",
  "RELATIONSHIP_TYPE_CLAIM_MATCH",
  "RELATIONSHIP_TYPE_STATIC",
  "RELATIONSHIP_TYPE_AWS_IDENTITY",
  "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL",
] as const;

export const SERVICE_PRINCIPALS = [
  "SERVICE_PRINCIPAL_UNSPECIFIED",
  "SERVICE_PRINCIPAL_COSIGNED",
  "SERVICE_PRINCIPAL_INGESTER",
  "SERVICE_PRINCIPAL_CATALOG_SYNCER",
  "SERVICE_PRINCIPAL_APKO_BUILDER",
  "SERVICE_PRINCIPAL_ENTITLEMENT_SYNCER",
  "SERVICE_PRINCIPAL_TENANT_SCANNER",
  "SERVICE_PRINCIPAL_SEDIMENTOLOGY",
  "SERVICE_PRINCIPAL_SKILLUP",
  "SERVICE_PRINCIPAL_MATERIALIZER",
  "SERVICE_PRINCIPAL_MICROFLOW",
  "SERVICE_PRINCIPAL_GUARDENER",
  "SERVICE_PRINCIPAL_MICROVM",
  "SERVICE_PRINCIPAL_SKILLS",
] as const;

const IDENTITY_NAME = /^[a-z0-9 ._-]{1,}$/;

/** Issuers are compared exactly as tokens state them, without normalization (OpenID Connect Core 1.0, section 2). */
const issuerUrl = () => webAddressText({ http: "anywhere", bytes: NAME_BYTES });

const claimMatch = z.object(
  {
    issuer: z.optional(issuerUrl()),
    issuerPattern: z.optional(text({ bytes: NAME_BYTES })),
    subject: z.optional(text({ bytes: NAME_BYTES })),
    subjectPattern: z.optional(text({ bytes: NAME_BYTES })),
    audience: z.optional(text({ bytes: NAME_BYTES })),
    audiencePattern: z.optional(text({ bytes: NAME_BYTES })),
    claims: z.optional(textMap()),
    claimPatterns: z.optional(textMap()),
  },
  "must be an object",
);

const staticKeys = z.object(
  {
    issuer: issuerUrl(),
    subject: text({ sentence: "required", bytes: NAME_BYTES }),
    issuerKeys: text({ sentence: "must be a JWKS document as text", bytes: 64_000 }),
    expirationTime: z.optional(timestamp()),
    audiences: z.optional(
      z
        .array(text({ bytes: NAME_BYTES }), "must be a list")
        .check(z.maxLength(1, "must have at most one audience")),
    ),
  },
  "must be an object",
);

const awsIdentity = z.object(
  {
    awsAccount: text({ pattern: /^\d{12}$/, sentence: "must be 12 digits" }),
    arn: z.optional(text({ bytes: NAME_BYTES })),
    arnPattern: z.optional(text({ bytes: NAME_BYTES })),
    userId: z.optional(text({ bytes: NAME_BYTES })),
    userIdPattern: z.optional(text({ bytes: NAME_BYTES })),
  },
  "must be an object",
);

/** Users, and workloads that sign in with claims, keys, AWS or as a platform service. */
export const identities = resource({
  kind: KINDS.identities,
  settable: {
    name: text({
      pattern: IDENTITY_NAME,
      sentence: `must match "${IDENTITY_NAME.source}"`,
      bytes: NAME_BYTES,
    }),
    description: z.optional(text()),
    claimMatch: z.optional(claimMatch),
    staticKeys: z.optional(staticKeys),
    awsIdentity: z.optional(awsIdentity),
    servicePrincipal: z.optional(openEnum(SERVICE_PRINCIPALS)),
  },
  output: {
    email: z.optional(z.string()),
    emailUnverified: z.optional(z.string()),
    company: z.optional(z.string()),
    lastSeenTime: z.optional(z.string()),
  },
  oneofs: [
    { at: "", members: ["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"], required: true },
    { at: "claimMatch", members: ["issuer", "issuerPattern"], required: true },
    { at: "claimMatch", members: ["subject", "subjectPattern"], required: true },
    { at: "claimMatch", members: ["audience", "audiencePattern"], required: false },
    { at: "awsIdentity", members: ["arn", "arnPattern"], required: true },
    { at: "awsIdentity", members: ["userId", "userIdPattern"], required: true },
  ],
  filters: {
    name: z.optional(z.string()),
    relationshipType: z.optional(openEnum(RELATIONSHIP_TYPES)),
  },
  sortable: ["uid", "name", "created_at", "updated_at", "last_seen_time"],
  affects: ["roleBindings", "endings", "machineOwners"],
});

export type Identity = ItemOf<typeof identities>;
export type IdentityInput = InputOf<typeof identities>;
