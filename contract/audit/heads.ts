import * as z from "zod/mini";

import { pageParameters } from "../aip";
import { endpoint } from "../endpoint";
import { int64Text } from "../schema";
import { AUDIT_ACCESS } from "./entries";

/** The `typ` of a signed head (RFC 7515, section 4.1.9): no verifier of tokens accepts it. */
export const HEAD_TYPE = "platform-audit-head+jwt";

/** The public key of signed heads (RFC 7517), for everybody. */
export const HEAD_KEYS_PATH = "/audit/v1/jwks.json";

const head = z.looseObject({
  /** Uid of the organization; empty for the log of the service, which only forwards have. */
  organization: z.optional(z.string()),
  /** The number of its last entry. */
  sequence: z.optional(int64Text()),
  /** The hash of that entry, in hex. */
  hash: z.optional(z.string()),
  /** When it was signed. */
  time: z.optional(z.string()),
  /** A JWS in compact form (RFC 7515) that says the same. */
  signature: z.optional(z.string()),
});

/** The signed ends of the logs that the caller can read: with one that was kept, nobody can cut the end unnoticed. */
export const getAuditHeads = endpoint({
  collection: "auditHeads",
  verb: "get",
  method: "GET",
  path: "/audit/v1/heads",
  access: { at: "visible", needs: [AUDIT_ACCESS] },
  // Pages as of every list (AIP-158), by uid of the organization.
  query: pageParameters,
  answer: z.looseObject({
    heads: z.optional(z.array(head)),
    nextPageToken: z.optional(z.string()),
    totalCount: z.optional(z.union([z.string(), z.number()])),
    skipped: z.optional(z.number()),
  }),
  summary: "Signed last entries of the logs of organizations",
});
