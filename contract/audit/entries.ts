import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { GUARD_RAIL_EFFECTS } from "../iam/guard-rail-effects";
import { listEndpoint, reference } from "../resource";
import { answeredEnum, int64Text, NAME_BYTES, openEnum, text, timestamp } from "../schema";

/** Done; refused because the caller may not; refused for any other reason, such as a conflict or a wrong password. */
export const OUTCOMES = ["OUTCOME_DONE", "OUTCOME_DENIED", "OUTCOME_REFUSED"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Who sees the log of a group: whoever sees its role bindings. */
export const AUDIT_ACCESS = "CAP_IAM_ROLE_BINDINGS_LIST";

const record = z.looseObject({
  /** Collection of the record; `accounts` for a person's account. */
  kind: z.string(),
  uid: z.string(),
  /** When it happened: names change, and records are deleted. */
  name: z.optional(z.string()),
  /** The group that the record is in; a group's own uid for a group. */
  group: z.optional(z.string()),
});

const change = z.looseObject({
  /** Dotted path of the field in the API: `claimMatch.subject`. */
  field: z.string(),
  /** JSON texts; missing if the field was not set. */
  before: z.optional(z.string()),
  after: z.optional(z.string()),
  /** A secret: the log only knows that it changed. */
  hidden: z.optional(z.boolean()),
  /** A long value, of which the log keeps the beginning. */
  cut: z.optional(z.boolean()),
});

const related = z.looseObject({
  record,
  /** created, updated or deleted */
  change: z.string(),
  changes: z.optional(z.array(change)),
});

const entry = z.looseObject({
  uid: z.string(),
  createTime: z.string(),
  outcome: z.optional(answeredEnum(["OUTCOME_UNSPECIFIED", ...OUTCOMES])),
  /** Id of the operation, such as `roleBindings.create`, or another action, such as `signIn.password`. */
  action: z.string(),
  /** Missing for what the service does by itself, and for a sign-in that failed. */
  actor: z.optional(
    z.looseObject({
      /** The identity. */
      uid: z.optional(z.string()),
      name: z.optional(z.string()),
      issuer: z.optional(z.string()),
      subject: z.optional(z.string()),
      /** The OAuth client that the token was issued to. */
      client: z.optional(z.string()),
      /** The id of the token. */
      jti: z.optional(z.string()),
      /** Uid of the identity provider that the person signs in with. */
      provider: z.optional(z.string()),
    }),
  ),
  record: z.optional(record),
  /** What happened to the record: created, updated or deleted. */
  change: z.optional(z.string()),
  changes: z.optional(z.array(change)),
  /** Other records that the same operation changed, up to a hundred. */
  related: z.optional(z.array(related)),
  /** Number of other records that it changed. */
  relatedCount: z.optional(z.number()),
  /** What the log finds the entry by, besides its record: part of the text that is hashed. */
  subjects: z.optional(z.array(z.string())),
  /** Names of the identities, roles and groups that the entry refers to, by uid. */
  names: z.optional(z.record(z.string(), z.string())),
  /** For a refusal: the name of its status, such as `PERMISSION_DENIED`. */
  reason: z.optional(z.string()),
  /** Guard rails that the change broke, as they were then. */
  guardRails: z.optional(
    z.array(
      z.looseObject({
        guardRail: z.string(),
        sentence: z.optional(z.string()),
        effect: z.optional(answeredEnum(GUARD_RAIL_EFFECTS)),
        /** Of access that was left out: who did not get which role. */
        identity: z.optional(z.string()),
        role: z.optional(z.string()),
      }),
    ),
  ),
  /** Why, in the words of who sent the request: its Change-Justification. */
  justification: z.optional(z.string()),
  request: z.optional(
    z.looseObject({
      id: z.optional(z.string()),
      address: z.optional(z.string()),
      userAgent: z.optional(z.string()),
      /** http, grpc, command, or service for what the service does by itself. */
      transport: z.optional(z.string()),
    }),
  ),
  /** The entry's number in its organization, without gaps. */
  sequence: z.optional(int64Text()),
  /** SHA-256 of this entry and of the hash before it, in hex. */
  hash: z.optional(z.string()),
  previousHash: z.optional(z.string()),
});
export type AuditEntry = z.infer<typeof entry>;

const access = { at: "visible", needs: [AUDIT_ACCESS] } as const;

/** Who did what, newest first. An extension: the published API has no log. */
export const listAuditEntries = listEndpoint({
  collection: "auditEntries",
  path: "/audit/v1/entries",
  access,
  row: entry,
  filters: {
    actor: z.optional(reference("must be the uid of an identity")),
    action: z.optional(text({ bytes: NAME_BYTES })),
    kind: z.optional(text({ bytes: NAME_BYTES })),
    /** The record itself, one that changed with it, or an identity that was given or lost a role. */
    record: z.optional(reference("must be a uid")),
    from: z.optional(timestamp()),
    to: z.optional(timestamp()),
    outcome: z.optional(openEnum(OUTCOMES)),
    address: z.optional(text({ bytes: NAME_BYTES })),
    /** The id of the token with which it was done. */
    jti: z.optional(text({ bytes: NAME_BYTES })),
  },
  sortable: ["created_at", "uid"],
  summary: "List what was done, newest first",
});

export const getAuditEntry = endpoint({
  collection: "auditEntries",
  verb: "get",
  method: "GET",
  path: "/audit/v1/entries/{uid}",
  access: { at: "uid", needs: [AUDIT_ACCESS] },
  answer: entry,
  summary: "Get one entry of the audit log",
});
