import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { resource, type ItemOf } from "../resource";
import { capabilityName, text } from "../schema";

/** Named sets of capabilities: built-in ones at root level, custom ones under a group. */
export const roles = resource({
  kind: KINDS.roles,
  settable: {
    name: text({ characters: [1, 63], sentence: "must be 1 to 63 characters long" }),
    description: z.optional(text()),
    capabilities: z
      .array(capabilityName(), "at least one capability is required")
      .check(z.minLength(1, "at least one capability is required")),
  },
  output: {},
  filters: { name: z.optional(z.string()) },
  affects: ["roleBindings"],
});

export type Role = ItemOf<typeof roles>;
