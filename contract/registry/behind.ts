import * as z from "zod/mini";

import { listParameters } from "../aip";
import { endpoint } from "../endpoint";
import { int64Text, openEnum } from "../schema";
import { image } from "./images";

/** What can be attached to an image. */
export const REFERRER_KINDS = [
  "REFERRER_KIND_SIGNATURE",
  "REFERRER_KIND_ATTESTATION",
  "REFERRER_KIND_SBOM",
  "REFERRER_KIND_OTHER",
] as const;

const referrer = z.looseObject({
  digest: z.optional(z.string()),
  /** By its types. Nobody checked a signature, or who made it. */
  kind: z.optional(openEnum(REFERRER_KINDS)),
  /** Its artifact type, or its media type. */
  type: z.optional(z.string()),
});
export type RegistryReferrer = z.infer<typeof referrer>;

/**
 * An extension: what the service saw of an image when it looked at it in the registry. NOT_FOUND for a digest that it has
 * not looked at.
 */
export const getRegistryImage = endpoint({
  collection: "registryImages",
  verb: "get",
  method: "GET",
  path: "/registry-images/v1/repos/{uid}/digests/{digest}",
  ...image,
  answer: z.looseObject({
    digest: z.optional(z.string()),
    mediaType: z.optional(z.string()),
    artifactType: z.optional(z.string()),
    /** Of all its architectures. */
    sizeBytes: z.optional(int64Text()),
    /** Those of the OCI image specification that tell when and from what it was made. */
    annotations: z.optional(z.record(z.string(), z.string())),
    referrers: z.optional(z.array(referrer)),
    /** Who pushed it first, if the registry said so; only for callers who can list the role bindings of the repo. */
    pushedBy: z.optional(z.string()),
    /** Missing if that identity is gone. */
    pushedByName: z.optional(z.string()),
    lookTime: z.optional(z.string()),
  }),
  summary: "Get what was seen of an image in the registry",
});

export const DIFFERENCES = [
  /** A repository of a namespace that no organization has. */
  "DIFFERENCE_NO_ORGANIZATION",
  /** Several repos of the organization have its name. */
  "DIFFERENCE_AMBIGUOUS",
  "DIFFERENCE_REPO_MISSING",
  "DIFFERENCE_TAG_MISSING",
  /** The registry does not have it. */
  "DIFFERENCE_TAG_GONE",
  "DIFFERENCE_OTHER_DIGEST",
  /** The registry's answer about it cannot be used. */
  "DIFFERENCE_UNREADABLE",
] as const;

const difference = z.looseObject({
  /** As the registry calls it: `acme/base`. */
  repository: z.optional(z.string()),
  /** A tag; missing for the repository itself. */
  reference: z.optional(z.string()),
  /** Uid of the repo; missing if there is none, or several. */
  repo: z.optional(z.string()),
  difference: z.optional(openEnum(DIFFERENCES)),
  detail: z.optional(z.string()),
  /** The service has mended its own tags and repos. */
  mended: z.optional(z.boolean()),
});
export type RegistryDifferenceRow = z.infer<typeof difference>;

/**
 * An extension: in what registry and ledger differed at the last comparison, of the repos that the caller sees. What belongs
 * to no organization is told by the command alone.
 */
export const listRegistryDifferences = endpoint({
  collection: "registryImages",
  verb: "differences",
  method: "GET",
  path: "/registry-images/v1/differences",
  access: { at: "visible", needs: ["CAP_REPO_LIST", "CAP_TAG_LIST"] },
  query: { "uidp.descendants_of": listParameters["uidp.descendants_of"] },
  answer: z.looseObject({
    differences: z.optional(z.array(difference)),
    /** When the comparison ended; missing if there was none. */
    compareTime: z.optional(z.string()),
    /** When a later one failed; the service's log says why. */
    failTime: z.optional(z.string()),
    /** False if there are more than an answer has. */
    complete: z.optional(z.boolean()),
  }),
  summary: "List in what registry and ledger differed",
});
