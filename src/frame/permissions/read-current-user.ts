import { queryOptions } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";
import { groups } from "platform-contract/iam/groups";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";

import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { NOW } from "~/api/client/moment";
import { byUids, requestByUids } from "~/api/queries/by-uids";
import type { Person } from "~/auth/session";

export interface CurrentUserState {
  /**
   * - `known`: `bindings` are the caller's, as far as they can see them.
   * - `unknown`: the service does not say; missing bindings prove nothing. Without `identityUid` it did not say who the
   *   caller is: looking that up is not part of the specification.
   * - `nobody`: the user has no role binding.
   */
  readonly state: "known" | "unknown" | "nobody";
  readonly identityUid?: string;
  readonly bindings: readonly RoleBinding[];
  /** The bound roles that could be read. */
  readonly roles: readonly Role[];
}

export const UNKNOWN: CurrentUserState = { state: "unknown", bindings: [], roles: [] };

const PAGE = 200;

/** True for a refusal or a missing record: these are answers, unlike an unreachable service. */
const isAnswer = (error: unknown): boolean => error instanceof ApiError && !error.passing;

async function allBindings(identity: string, signal: AbortSignal): Promise<RoleBinding[]> {
  const found: RoleBinding[] = [];
  let token: string | undefined;
  do {
    const query = { identity, ...NOW, page_size: PAGE, ...(token !== undefined && { page_token: token }) };
    const { items, nextPageToken } = await call(roleBindings.list, { query, signal });
    found.push(...items);
    token = nextPageToken;
  } while (token);
  return found;
}

/** Reads the caller's access in three rounds: the identity, its bindings, their roles. */
export async function readCurrentUser(
  person: Pick<Person, "issuer" | "subject">,
  signal: AbortSignal,
): Promise<CurrentUserState> {
  const { issuer, subject } = person;
  let who = UNKNOWN;
  try {
    const { uid } = await call(lookupIdentity, { query: { issuer, subject }, signal });
    who = { ...who, identityUid: uid };
    const bindings = await allBindings(uid, signal);
    if (bindings.length === 0) {
      // No bindings, or none that the caller can read. A caller who sees a group has access (an unscoped list never
      // returns 403).
      const visible = await call(groups.list, { query: { ...NOW, page_size: 1 }, signal });
      return visible.items.length > 0 ? who : { ...who, state: "nobody" };
    }
    who = { ...who, bindings };
    return { ...who, state: "known", roles: await byUids(roles.list, bindings.map(roleUidOf), signal, NOW) };
  } catch (error) {
    if (isAnswer(error)) return who;
    throw error;
  }
}

/**
 * The current user. The key starts with `roleBindings`, so that every write that changes a binding invalidates it,
 * including the creation of an organization.
 */
export const currentUserQuery = ({ issuer, subject }: Pick<Person, "issuer" | "subject">) =>
  queryOptions({
    queryKey: [roleBindings.collection, "who", issuer, subject] as const,
    meta: {
      requests: (who: CurrentUserState | undefined) => [
        { endpoint: lookupIdentity, query: { issuer, subject } },
        ...(who?.identityUid === undefined
          ? []
          : [{ endpoint: roleBindings.list, query: { identity: who.identityUid, ...NOW, page_size: PAGE } }]),
        ...(who?.bindings.length ? [requestByUids(roles.list, who.bindings.map(roleUidOf))] : []),
      ],
    } satisfies QueryFacts,
    queryFn: ({ signal }) => readCurrentUser({ issuer, subject }, signal),
    staleTime: 60_000,
  });
