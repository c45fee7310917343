import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { timestamp } from "../schema";

const ANYONE = { at: "anyone", needs: [] } as const;

const offer = z.looseObject({
  /** The organization. */
  groupUid: z.string(),
  groupName: z.optional(z.string()),
  /** Names of the roles there. */
  roles: z.optional(z.array(z.string())),
  /** Who gave the first of them. */
  byName: z.optional(z.string()),
  byEmail: z.optional(z.string()),
  createTime: z.optional(timestamp()),
});

export type Offer = z.infer<typeof offer>;

/**
 * Organizations in which others gave the caller a role: it counts where the organization is named, but lists of
 * everything leave the organization out until the caller accepts (docs/decisions/access.md). Newest first, at most 50.
 */
export const listOffers = endpoint({
  collection: "groups",
  verb: "offered",
  method: "GET",
  path: "/iam/v2/groups:offered",
  access: ANYONE,
  answer: z.looseObject({ offers: z.optional(z.array(offer)) }),
  summary: "List the organizations in which the caller was given a role and has not accepted it",
});

/** To decline instead, delete the own role bindings there. */
export const acceptAccess = endpoint({
  collection: "groups",
  verb: "acceptAccess",
  method: "POST",
  path: "/iam/v2/groups/{uid}:acceptAccess",
  access: ANYONE,
  body: z.object({}),
  answer: z.looseObject({}),
  summary: "Accept access to an organization",
});
