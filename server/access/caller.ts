import { isWithin, topmost } from "~/contract/aip";
import type { Endpoint } from "~/contract/endpoint";

import { permissionDenied } from "../status";

/** What one role binding gives: capabilities at a group and at everything below it (contract B25). */
export interface Grant {
  readonly group: string;
  readonly capabilities: ReadonlySet<string>;
}

/** Somebody with a valid token: who the token says, which identities it fits, and what these may do. */
export interface Caller {
  readonly issuer: string;
  readonly subject: string;
  /** The same for every token of one caller, never for two callers; page tokens are bound to it. */
  readonly key: string;
  /** Uids of every identity that the token fits; rights are the union over all of them. */
  readonly identities: readonly string[];
  /** The bindings that count, each within the reach of its identity. */
  readonly grants: readonly Grant[];
  /** Came with an invite and has no account before it is redeemed. */
  readonly pending?: true;
}

/** Whether the caller holds a capability at the record `uid`, there or at one of its ancestors. */
export const holds = ({ grants }: Pick<Caller, "grants">, capability: string, uid: string): boolean =>
  grants.some(({ group, capabilities }) => capabilities.has(capability) && isWithin(uid, group));

export const holdsAll = (
  caller: Pick<Caller, "grants">,
  capabilities: Iterable<string>,
  uid: string,
): boolean => [...capabilities].every((capability) => holds(caller, capability, uid));

/** By the grants that they follow from, which are the same list as long as nothing changes. */
const visibleBy = new WeakMap<Caller["grants"], Map<string, readonly string[]>>();

/** The topmost groups where the caller holds a capability: it holds there and everywhere below. */
export function visibleGroups({ grants }: Caller, capability: string): readonly string[] {
  const known = visibleBy.get(grants) ?? new Map<string, readonly string[]>();
  visibleBy.set(grants, known);
  const groups =
    known.get(capability) ??
    topmost(grants.flatMap(({ group, capabilities }) => (capabilities.has(capability) ? [group] : [])));
  known.set(capability, groups);
  return groups;
}

/** Throws PERMISSION_DENIED naming those of the capabilities that the caller does not hold at `uid`. */
export function requireAll(caller: Caller, capabilities: Iterable<string>, uid: string): void {
  const missing = [...capabilities].filter((capability) => !holds(caller, capability, uid));
  if (missing.length > 0) throw permissionDenied(missing, uid);
}

/** Whether a uid is that of a record outside every group: a person, a built-in role, an organization. */
export const isRootLevel = (uid: string): boolean => !uid.includes("/");

/**
 * Decides what the path alone can decide, before anything is loaded: a refusal says nothing about what exists
 * (contract B6). Throws PERMISSION_DENIED. Lists are narrowed by their handlers instead, never refused (contract B7).
 */
export function authorize(
  endpoint: Pick<Endpoint, "id" | "access">,
  path: { readonly uid?: string; readonly parent?: string },
  caller: Caller,
): void {
  const { access } = endpoint;
  if (access.at !== "uid" && access.at !== "parent") return;
  const uid = path[access.at] ?? "";
  // Everybody may look at themselves. A person lies under no group: the handler asks where that person is bound.
  if (endpoint.id === "identities.get" && (isRootLevel(uid) || caller.identities.includes(uid))) return;
  // And everybody may lay down what they hold: the handler looks whose the binding is.
  if (endpoint.id === "roleBindings.delete") return;
  requireAll(caller, access.needs, uid);
}
