import { isWithin } from "platform-contract/aip";
import type { Capability } from "platform-contract/capability";
import { longerThanOwn } from "platform-contract/iam/role-bindings";
import { BAD_REQUEST } from "platform-contract/status";

import { Failure } from "../../status";
import type { Queries } from "../store/database";
import { holdsAll, requireAll, type Caller, type Grant } from "./caller";
import { grantsOf } from "./grants";
import { capabilitiesOf } from "../../domains/access/roles.table";
import { rolesMappedBy } from "../../domains/federation/external-group-role-mappings.table";

/** What a caller gives away: a role at a group, or what leads to it. */
export interface Given {
  readonly role: string;
  readonly group: string;
  /** What the operation itself needs: the power to give it. */
  readonly by: readonly Capability[];
  /** When it ends, in milliseconds; Infinity if it does not, undefined if it cannot. */
  readonly until?: number;
}

const endOf = ({ until = Infinity }: Grant): number => until;

/** The caller as of a time: with the bindings that have not ended by then. */
const at = ({ grants }: Pick<Caller, "grants">, until: number): Pick<Caller, "grants"> => ({
  grants: grants.filter((grant) => endOf(grant) >= until),
});

/** When the first of these capabilities, all of which the caller holds at `group`, ends there. */
function endOfAll({ grants }: Caller, capabilities: readonly string[], group: string): number {
  const here = grants.filter((grant) => isWithin(group, grant.group));
  const endOfOne = (name: string): number =>
    here.reduce(
      (end, grant) => (grant.capabilities.has(name) ? Math.max(end, endOf(grant)) : end),
      -Infinity,
    );
  return capabilities.reduce((end, name) => Math.min(end, endOfOne(name)), Infinity);
}

/**
 * Throws PERMISSION_DENIED unless the caller holds these capabilities at `group` until `until`: nobody gives, or keeps by
 * giving, more time than they have.
 */
export function requireUntil(
  caller: Caller,
  capabilities: readonly string[],
  group: string,
  until?: number,
): void {
  requireAll(caller, capabilities, group);
  if (holdsAll(at(caller, until ?? Infinity), capabilities, group)) return;
  const last = endOfAll(caller, capabilities, group);
  throw new Failure(
    "PERMISSION_DENIED",
    `Permission denied: your own access at ${group} ends at ${new Date(last).toISOString()}, so you cannot give access for longer`,
    until === undefined
      ? []
      : [
          {
            "@type": BAD_REQUEST,
            fieldViolations: [{ field: "expirationTime", description: longerThanOwn(last) }],
          },
        ],
  );
}

/** Throws PERMISSION_DENIED unless the caller holds all capabilities of a role, and so can give it. */
export async function requireRole(
  queries: Queries,
  caller: Caller,
  { role, group, by, until }: Given,
): Promise<void> {
  requireUntil(caller, [...((await capabilitiesOf(queries, role)) ?? []), ...by], group, until);
}

/** Throws PERMISSION_DENIED unless the caller holds every role that the mappings of an identity provider give. */
export async function requireMapped(queries: Queries, caller: Caller, provider: string): Promise<void> {
  for (const { role, scope } of await rolesMappedBy(queries, provider))
    await requireRole(queries, caller, { role, group: scope, by: [] });
}

/**
 * Throws PERMISSION_DENIED unless the caller holds everything that an identity holds, at the same groups and for as
 * long: a caller who can change how an identity is recognized can become it.
 */
export async function requireRightsOf(queries: Queries, caller: Caller, identity: string): Promise<void> {
  for (const { group, capabilities, until } of await grantsOf(queries, [identity]))
    requireUntil(caller, [...capabilities], group, until);
}

/** True if these identities currently hold all the capabilities at a group, and their bindings do not end. */
export async function identitiesHold(
  queries: Queries,
  identities: readonly string[],
  capabilities: Iterable<string>,
  group: string,
): Promise<boolean> {
  return holdsAll(at({ grants: await grantsOf(queries, identities) }, Infinity), capabilities, group);
}
