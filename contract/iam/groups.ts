import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { resource, type ItemOf } from "../resource";
import { openEnum, text } from "../schema";

export const ORG_KINDS = [
  "ORG_KIND_UNSPECIFIED",
  "ORG_KIND_STARTER",
  "ORG_KIND_CUSTOMER",
  "ORG_KIND_DEV",
  "ORG_KIND_INFRA",
  "ORG_KIND_AWS_MARKETPLACE",
] as const;

const ORG_STATUSES = [
  "ORG_STATUS_UNSPECIFIED",
  "ORG_STATUS_INITIALIZING",
  "ORG_STATUS_READY",
  "ORG_STATUS_SUSPENDED",
] as const;

/** Organizations (root groups) and folders (groups below one). */
export const groups = resource({
  kind: KINDS.groups,
  settable: {
    name: text({ characters: [3, 63], sentence: "must be 3 to 63 characters long" }),
    description: z.optional(text()),
    verified: z.optional(z.boolean("must be true or false")),
    kind: z.optional(openEnum(ORG_KINDS)),
  },
  output: {
    /** What the organization is called in the registry, if one is connected: an extension. Set when it is created. */
    namespace: z.optional(z.string()),
    resourceLimits: z.optional(z.record(z.string(), z.number())),
    status: z.optional(openEnum(ORG_STATUSES)),
  },
  filters: { name: z.optional(z.string()) },
  affects: ["roleBindings"],
});

export type Group = ItemOf<typeof groups>;
