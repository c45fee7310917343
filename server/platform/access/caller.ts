import { isWithin, parentOf, topmost } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { kindOf } from "platform-contract/kinds";

import { USE_PLACES_MOST } from "platform-contract/iam/capability-use";

import { permissionDenied } from "../../status";

/** In `amr` of a token: of a sign-in with a second factor (RFC 8176). */
export const SECOND_FACTOR = "mfa";

/** Capabilities that one role binding grants at a group and everything below it. */
export interface Grant {
  readonly group: string;
  /** Uid of the role. */
  readonly role: string;
  readonly capabilities: ReadonlySet<string>;
  /** In an organization that its person has not accepted: counts only where a request names it. */
  readonly offered?: true;
  /** When the binding ends, in milliseconds; absent if it does not. */
  readonly until?: number;
}

/** A capability that a call needed and its caller held, and the uid of a group or of a record in it. */
export type Needed = readonly [capability: string, place: string];

/** A user or service with a valid token: its token's claims, the matching identities and their rights. */
export interface Caller {
  readonly issuer: string;
  readonly subject: string;
  /** The OAuth client that the token was issued to, as far as the token says. */
  readonly client?: string | undefined;
  /** The id of the token (RFC 7519, section 4.1.7), if it has one that the log keeps. */
  readonly jti?: string | undefined;
  /** The same for all tokens of one caller, and unique per caller; page tokens are bound to it. */
  readonly key: string;
  /** Uids of all identities that the token matches; rights are the union of theirs. */
  readonly identities: readonly string[];
  /** The effective bindings, each limited to the scope of its identity. */
  readonly grants: readonly Grant[];
  /** With a token that was exchanged for another one: whether it has all rights of the identity. */
  readonly exchanged?: "whole" | "limited";
  /** What a token that was signed for the registry is limited to there, such as `repository:acme/base:pull`. */
  readonly registryScopes?: readonly string[];
  /** Whom limits of use count, if not `key`. */
  readonly principal?: string;
  /** The token is of a sign-in with a second factor here. */
  readonly secondFactor?: true;
  /** The token is of a sign-in that only reads: every write is refused. */
  readonly readOnly?: true;
  /** Signed in with an invite and has no account until it is redeemed. */
  readonly pending?: true;
  /** Collects what the call has needed; missing if nobody counts it. */
  readonly uses?: Needed[];
}

/** Notes what a call needed and its caller holds at `place`. */
export function noteUse({ uses }: Pick<Caller, "uses">, capabilities: Iterable<string>, place: string): void {
  if (uses) for (const capability of capabilities) uses.push([capability, place]);
}

/** True if the caller holds a capability at the record `uid` or at one of its ancestors. */
export const holds = ({ grants }: Pick<Caller, "grants">, capability: string, uid: string): boolean =>
  grants.some(({ group, capabilities }) => capabilities.has(capability) && isWithin(uid, group));

export const holdsAll = (
  caller: Pick<Caller, "grants">,
  capabilities: Iterable<string>,
  uid: string,
): boolean => [...capabilities].every((capability) => holds(caller, capability, uid));

/** Cached by grants list: `grantsOf` returns the same object until something changes. */
const visibleBy = new WeakMap<Caller["grants"], Map<string, readonly string[]>>();

/** Parameters of a list that name groups or records. */
const NAMES = ["uidp.descendants_of", "uidp.children_of", "uidp.ancestors_of", "uidp.ids"];

/** Notes that a list needed capabilities, at what it names or at every group that it looks into. */
function noteListed(
  caller: Caller,
  capabilities: readonly string[],
  groups: readonly string[],
  query: Readonly<Record<string, unknown>>,
): void {
  if (!caller.uses || groups.length === 0) return;
  // A built-in role or a person is in no group.
  const named = [query["uidp.descendants_of"] ?? query["uidp.children_of"] ?? query["uidp.ids"] ?? []]
    .flat()
    .map(String)
    .filter((uid) => query["uidp.ids"] === undefined || !isRootLevel(uid));
  const places = new Set<string>();
  if (named.length === 0) for (const group of groups.slice(0, USE_PLACES_MOST)) places.add(group);
  for (const uid of named.slice(0, USE_PLACES_MOST)) {
    const above = groups.find((group) => isWithin(uid, group));
    const isRecord = query["uidp.ids"] !== undefined && uid !== above;
    if (above !== undefined) places.add(isRecord ? parentOf(uid) : uid);
    else
      for (const group of groups)
        if (isWithin(group, uid) && places.size < USE_PLACES_MOST) places.add(group);
  }
  for (const place of places) noteUse(caller, capabilities, place);
}

function groupsWith(
  { grants }: Caller,
  capability: string,
  query: Readonly<Record<string, unknown>>,
): readonly string[] {
  const isNamed = NAMES.some((name) => query[name] !== undefined);
  const known = visibleBy.get(grants) ?? new Map<string, readonly string[]>();
  visibleBy.set(grants, known);
  const key = isNamed ? `named ${capability}` : capability;
  const groups =
    known.get(key) ??
    topmost(
      grants.flatMap(({ group, capabilities, offered }) =>
        capabilities.has(capability) && (isNamed || !offered) ? [group] : [],
      ),
    );
  known.set(key, groups);
  return groups;
}

/**
 * The topmost groups at which the caller holds a capability, which then applies to everything below. Organizations that
 * the caller has not accepted are left out unless the query names groups or records: strangers who bind somebody must
 * not get into what that person's scripts and screens read.
 */
export const visibleGroups = (
  caller: Caller,
  capability: string,
  query: Readonly<Record<string, unknown>> = {},
): readonly string[] => visibleToAll(caller, [capability], query);

/** The topmost groups at which the caller holds all of these capabilities; see visibleGroups. */
export function visibleToAll(
  caller: Caller,
  capabilities: readonly string[],
  query: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const groups = capabilities
    .map((capability) => groupsWith(caller, capability, query))
    .reduce((some, more) =>
      topmost([
        ...some.filter((group) => more.some((one) => isWithin(group, one))),
        ...more.filter((group) => some.some((one) => isWithin(group, one))),
      ]),
    );
  noteListed(caller, capabilities, groups, query);
  return groups;
}

/**
 * Throws PERMISSION_DENIED with the capabilities that the caller does not hold at `uid`.
 * @param place where their use counts
 */
export function requireAll(
  caller: Caller,
  capabilities: readonly string[],
  uid: string,
  place: string = uid,
): void {
  const missing = capabilities.filter((capability) => !holds(caller, capability, uid));
  if (missing.length > 0) throw permissionDenied(missing, uid);
  noteUse(caller, capabilities, place);
}

/** True for the uid of a record outside of all groups: a person, a built-in role, an organization. */
export const isRootLevel = (uid: string): boolean => !uid.includes("/");

/**
 * Decides what the path alone can decide, before anything is loaded, so that a refusal does not reveal what exists.
 * Throws PERMISSION_DENIED. Lists are never refused: their handlers filter them.
 */
export function authorize(
  endpoint: Pick<Endpoint, "id" | "access">,
  path: { readonly uid?: string; readonly parent?: string },
  caller: Caller,
): void {
  const { access } = endpoint;
  if (access.at !== "uid" && access.at !== "parent") return;
  const uid = path[access.at] ?? "";
  // Callers can always read their own identities. A person is in no group: the handler checks where they have bindings.
  if (endpoint.id === "identities.get" && (isRootLevel(uid) || caller.identities.includes(uid))) return;
  // Callers can also drop their own bindings: the handler checks whose binding it is.
  if (endpoint.id === "roleBindings.delete") return;
  requireAll(caller, access.needs, uid, placeIn(endpoint, uid));
}

const RECORD_VERBS: ReadonlySet<string> = new Set(["get", "update", "delete"]);

/** The group of a record of a kind, as far as its uid alone says it: calls for many records then count in one place. */
function placeIn({ id }: Pick<Endpoint, "id">, uid: string): string {
  const [collection = "", verb = ""] = id.split(".");
  let kind = RECORD_VERBS.has(verb) ? kindOf(collection) : undefined;
  let place = uid;
  while (kind && kind.collection !== "groups" && !kind.keyedByParent) {
    place = parentOf(place);
    kind = kindOf(kind.parent);
  }
  return place || uid;
}
