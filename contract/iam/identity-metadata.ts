import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { loose, NAME_BYTES, sparse, text } from "../schema";

const word = () => z.optional(text({ bytes: NAME_BYTES }));
const flag = () => z.optional(z.boolean("must be true or false"));

/** What people say about themselves. */
export const METADATA = {
  company: word(),
  updatesOptIn: flag(),
  product: word(),
  jobTitle: word(),
  utmCampaign: word(),
  utmContent: word(),
  utmMedium: word(),
  utmSource: word(),
  utmTerm: word(),
  latestFormSubmitUrl: word(),
  latestInternalReferringUrl: word(),
  /** Not stored. */
  hubspotUtk: word(),
  selfServe: flag(),
};

const metadata = z.object({
  uid: z.optional(z.string()),
  name: z.optional(z.string()),
  givenName: z.optional(z.string()),
  familyName: z.optional(z.string()),
  ...METADATA,
});
export const identityMetadata = loose(metadata) as z.ZodMiniType<z.infer<typeof metadata>>;

/** Changes the caller's own metadata; without fields, it only returns them. */
export const updateIdentityMetadata = endpoint({
  collection: "identities",
  verb: "updateIdentityMetadata",
  method: "PATCH",
  path: "/iam/v2/identities:updateIdentityMetadata",
  access: { at: "anyone", needs: [] },
  body: z.object({
    identityMetadata: z.optional(sparse(metadata)),
    /** As in other updates, but in the body. */
    updateMask: z.optional(text()),
  }),
  answer: identityMetadata,
  summary: "Update what the caller says about themselves",
});
