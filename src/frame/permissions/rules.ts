import { isWithin, parentOf } from "platform-contract/aip";
import type { Capability } from "platform-contract/capability";
import type { Endpoint } from "platform-contract/endpoint";
import { roleBindings, roleUidOf } from "platform-contract/iam/role-bindings";

import { thePast } from "~/api/client/moment";

import { neededText } from "./permission-text";
import type { CurrentUserState } from "./read-current-user";

export interface PermissionVerdict {
  readonly allowed: boolean;
  /** Shown to the user if the endpoint is not allowed. */
  readonly reason?: string;
  /** The missing capabilities, joined by commas. */
  readonly capability?: string;
}

const ALLOWED: PermissionVerdict = { allowed: true };

/** A grant of the caller; `capabilities` is undefined if the role could not be read. */
interface Grant {
  readonly group: string;
  readonly capabilities: ReadonlySet<string> | undefined;
  /** When it ends, in ms; Infinity if it does not. */
  readonly end: number;
}

type Held = Omit<CurrentUserState, "state">;

const grantsOf = ({ bindings, roles, identityUid = "" }: Held): Grant[] => {
  const sets = new Map(roles.map(({ uid, capabilities }) => [uid, new Set(capabilities)]));
  const home = parentOf(identityUid);
  return (
    bindings
      .map((binding) => ({
        group: parentOf(binding.uid),
        capabilities: sets.get(roleUidOf(binding)),
        end: binding.expirationTime ? Date.parse(binding.expirationTime) : Infinity,
      }))
      // An identity below a group has no access outside that group.
      .filter(({ group }) => home === "" || isWithin(group, home))
  );
};

/**
 * Returns whether the caller can use an endpoint at a group or at a record below it; `undefined` means anywhere, "" the
 * root level. Refuses only what would certainly fail; the service decides the rest.
 */
export function can(
  who: CurrentUserState | undefined,
  { access }: Pick<Endpoint, "access">,
  group: string | undefined,
): PermissionVerdict {
  const reason = thePast()?.refusal({ access });
  if (reason !== undefined) return { allowed: false, reason };
  // No one holds a role at the root level, so grants decide nothing there.
  if (!who || who.state === "unknown" || access.at === "anyone" || group === "") return ALLOWED;
  // Users can always delete their own role bindings.
  if (access === roleBindings.delete.access && who.bindings.some(({ uid }) => uid === group)) return ALLOWED;
  const grants = grantsOf(who).filter(
    (grant) =>
      group === undefined ||
      isWithin(group, grant.group) ||
      // A list at a group shows what the caller can see below it.
      (access.at === "visible" && isWithin(grant.group, group)),
  );
  // Nothing known has to do with this group, so the caller may see it through a binding that they cannot read.
  if (isUntold(who, group)) return ALLOWED;
  const missing = access.needs.filter((capability) => !mayHold(grants, capability));
  if (missing.length === 0) return ALLOWED;
  const capability = missing.join(",");
  const where = group === undefined ? "" : " here";
  return { allowed: false, reason: `You need permission to ${neededText(capability)}${where}`, capability };
}

/**
 * True if the caller's bindings don't tell what they can see: none is known, or none of them applies at a group or to
 * something below it. Then the place may be hidden, or they see it through a binding that they cannot read.
 */
export const isUntold = (
  who: Held & { readonly state: CurrentUserState["state"] | "loading" },
  group: string | undefined,
): boolean =>
  who.state === "unknown" ||
  (who.state === "known" &&
    group !== undefined &&
    group !== "" &&
    !grantsOf(who).some((grant) => isWithin(group, grant.group) || isWithin(grant.group, group)));

/** True if the caller's bindings apply only to something below a group: what lies there itself is hidden from them. */
export const isSeenBelow = (who: Held, { access }: Pick<Endpoint, "access">, group: string): boolean => {
  const grants = grantsOf(who).filter(({ capabilities }) =>
    access.needs.every((capability) => capabilities?.has(capability) ?? true),
  );
  return (
    access.at === "visible" &&
    !grants.some((grant) => isWithin(group, grant.group)) &&
    grants.some((grant) => isWithin(grant.group, group))
  );
};

/**
 * When the caller's power to use an endpoint at a group ends, in ms; undefined if it does not end, or that is not known.
 */
export function accessEnds(
  who: CurrentUserState,
  { access }: Pick<Endpoint, "access">,
  group: string,
): number | undefined {
  const grants = grantsOf(who).filter((grant) => isWithin(group, grant.group));
  const until = (end: number) => {
    const lasting = grants.filter((grant) => grant.end >= end);
    return access.needs.every((capability) => mayHold(lasting, capability));
  };
  const last = Math.max(-Infinity, ...grants.map(({ end }) => end).filter(until));
  return Number.isFinite(last) ? last : undefined;
}

const mayHold = (grants: readonly Grant[], capability: Capability): boolean =>
  grants.some(({ capabilities }) => capabilities?.has(capability) ?? true);
