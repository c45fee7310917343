import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { resource, type ItemOf } from "../resource";
import { NAME_BYTES, text, timestamp } from "../schema";

/** OCI distribution specification, "Pulling manifests". */
const TAG_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
export const DIGEST = /^sha256:[0-9a-f]{64}$/;

const flag = () => z.optional(z.boolean("must be true or false"));

/** Names of digests, such as `latest`. A child of a repo; creating an existing one replaces it. */
export const tags = resource({
  kind: KINDS.tags,
  settable: {
    name: text({
      pattern: TAG_NAME,
      sentence:
        "must be 1 to 128 letters, digits, dots, underscores or dashes, and must not start with a dot or dash",
    }),
    digest: text({ pattern: DIGEST, sentence: "must be sha256: followed by 64 hex digits" }),
    deprecated: z.optional(z.boolean("must be true or false")),
    bundles: z.optional(
      z
        .array(text({ bytes: NAME_BYTES }), "must be a list")
        .check(z.maxLength(100, "must have at most 100 entries")),
    ),
  },
  output: {},
  filters: {
    name: z.optional(z.string()),
    digest: z.optional(z.string()),
    updatedSince: z.optional(timestamp()),
    includeReferrers: flag(),
    includeDates: flag(),
    includeEpochs: flag(),
  },
});

/** Lists omit three kinds of names unless requested. */
export const ALL_KINDS = { includeDates: true, includeEpochs: true, includeReferrers: true };

export type Tag = ItemOf<typeof tags>;
