import * as z from "zod/mini";

import { listEndpoint } from "../resource";
import { NAME_BYTES, text } from "../schema";
import { documentEvent } from "../vulnerabilities/events";
import { ADVISORY_ORDERS } from "./orders";

const document = z.looseObject({
  /** The origin package. */
  id: z.string(),
  advisories: z.optional(
    z.array(
      z.looseObject({
        id: z.string(),
        aliases: z.optional(z.array(z.string())),
        packageNamespace: z.optional(z.string()),
        events: z.optional(z.array(documentEvent)),
      }),
    ),
  ),
});

/** The caller's advisories by origin package, with approved events only. */
export const listDocuments = listEndpoint({
  collection: "documents",
  path: "/advisory/v2/documents",
  access: { at: "visible", needs: ["CAP_ADVISORIES_LIST"] },
  row: document,
  filters: {
    id: z.optional(text({ bytes: NAME_BYTES })),
    cves: z.optional(
      z.array(text({ bytes: NAME_BYTES })).check(z.maxLength(1_000, "must have at most 1000 values")),
    ),
  },
  // The times of a document: when its first advisory was created, and when one was last updated.
  sortable: ADVISORY_ORDERS,
  summary: "List advisories by origin package",
});

export type Document = z.infer<typeof document>;
