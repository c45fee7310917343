import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { DIGEST } from "../registry/tags";
import { text } from "../schema";

/** The `typ` of a signature (RFC 7515, section 4.1.9): no verifier of tokens accepts it. */
export const SIGNATURE_TYPE = "platform-snapshot+jwt";

/** The public keys of signatures (RFC 7517), for everybody. */
export const SIGNATURE_KEYS_PATH = "/snapshots/v1/jwks.json";

/** An extension: the service signs that the caller has a file with this digest. It does not see the file. */
export const signSnapshot = endpoint({
  collection: "groups",
  verb: "signSnapshot",
  refusesValidateOnly: true,
  method: "POST",
  path: "/snapshots/v1/groups/{uid}:sign",
  // All that a snapshot of the group holds: nobody gets a signature for a group that they could not have read.
  access: {
    at: "uid",
    needs: [
      "CAP_IAM_GROUPS_LIST",
      "CAP_IAM_ROLES_LIST",
      "CAP_IAM_ROLE_BINDINGS_LIST",
      "CAP_IAM_IDENTITY_LIST",
      "CAP_REPO_LIST",
      "CAP_TAG_LIST",
    ],
  },
  body: z.object({
    /** Of the bytes of the file. */
    digest: text({ pattern: DIGEST, sentence: "must be sha256: followed by 64 hex digits" }),
  }),
  answer: z.looseObject({
    /** A JWS in compact form (RFC 7515). */
    signature: z.string(),
  }),
  summary: "Sign the digest of a snapshot of a group",
});
