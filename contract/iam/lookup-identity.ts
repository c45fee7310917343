import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { NAME_BYTES, text } from "../schema";

/** Returns the uid that (issuer, subject) has or will get on registration, so that bindings can be created early. */
export const lookupIdentity = endpoint({
  collection: "identities",
  verb: "lookupIdentity",
  method: "GET",
  path: "/iam/v2/identities:lookupIdentity",
  access: { at: "anyone", needs: [] },
  query: {
    issuer: text({ sentence: "required", bytes: NAME_BYTES }),
    subject: text({ sentence: "required", bytes: NAME_BYTES }),
  },
  answer: z.looseObject({ uid: z.string() }),
  summary: "Look up the identity for an issuer and subject",
});
