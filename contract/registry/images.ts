import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { text } from "../schema";
import { DIGEST } from "./tags";

/** What the paths of images in a repo have in common. */
export const image = {
  variables: {
    digest: {
      pattern: DIGEST,
      sentence: "must be sha256: followed by 64 hex digits",
      description: "The digest of an image index",
    },
  },
  access: { at: "uid", needs: ["CAP_REPO_LIST", "CAP_MANIFEST_METADATA_LIST"] },
} as const;

/** The architectures of an image index; NOT_FOUND for a digest that the repo does not contain. */
export const getArchitectures = endpoint({
  collection: "images",
  verb: "getArchitectures",
  method: "GET",
  path: "/registry/v2/repos/{uid}/digests/{digest}/architectures",
  ...image,
  answer: z.looseObject({ architectures: z.optional(z.array(z.string())) }),
  summary: "List the architectures of an image",
});

/** Bytes of all layers and the configuration of one architecture, `amd64` by default. */
export const getSize = endpoint({
  collection: "images",
  verb: "getSize",
  method: "GET",
  path: "/registry/v2/repos/{uid}/digests/{digest}/size",
  ...image,
  query: { architecture: z.optional(text({ bytes: 100 })) },
  answer: z.looseObject({
    size: z.optional(z.union([z.string(), z.number()])),
    architecture: z.optional(z.string()),
  }),
  summary: "Get the size of an image",
});
