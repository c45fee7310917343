import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { reference, resource, type ItemOf } from "../resource";
import { timestamp } from "../schema";

/** How far ahead a binding can end. */
export const ENDS_WITHIN_YEARS = 10;

/** Why a new end of a binding is refused, for the person who chose it; undefined if it is not. */
export function endProblem(time: number, now: number): string | undefined {
  if (time <= now) return "must be in the future";
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + ENDS_WITHIN_YEARS);
  return time > latest.getTime() ? `must be at most ${ENDS_WITHIN_YEARS} years from now` : undefined;
}

/** Why an end is refused that is after that of the caller's own access, in ms. */
export const longerThanOwn = (end: number): string =>
  `must be set, and no later than ${new Date(end).toISOString()}: your own access ends then`;

const hydrated = {
  uid: z.string(),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
};

/** A role granted to an identity at a group and below; responses are hydrated. */
export const roleBindings = resource({
  kind: KINDS.roleBindings,
  settable: {
    identityUid: reference("must be the uid of an identity"),
    roleUid: reference("must be the uid of a role"),
    /** When it ends: it counts for nothing from then on, and is removed. An extension: published bindings never end. */
    expirationTime: z.optional(timestamp()),
  },
  output: {
    identity: z.optional(
      z.object({
        ...hydrated,
        subject: z.optional(z.string()),
        issuer: z.optional(z.string()),
        email: z.optional(z.string()),
      }),
    ),
    group: z.optional(z.object(hydrated)),
    role: z.optional(z.object(hydrated)),
  },
  filters: {
    identity: z.optional(reference("must be a uid")),
    group: z.optional(reference("must be a uid")),
    role: z.optional(reference("must be a uid")),
  },
  // A binding has no name of its own: `name` is the bound identity's (every list sorts by name).
  sortable: ["uid", "name", "created_at", "updated_at"],
  // A person is listed while they have a role.
  affects: ["identities", "endings", "machineOwners"],
});

export type RoleBinding = ItemOf<typeof roleBindings>;

/** The role uid of a binding: some responses repeat it, others only hydrate the role. */
export const roleUidOf = ({ roleUid, role }: RoleBinding): string => roleUid ?? role?.uid ?? "";
