import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { ApiError } from "~/api/client/errors";
import { callOnce } from "~/api/mutations/call-once";
import { invalidateDependents } from "~/api/mutations/patch";
import { batchCreateRoleBindings } from "~/contract/iam/role-binding-batches";
import { roleBindings, type RoleBinding } from "~/contract/iam/role-bindings";

export interface Grant {
  readonly identities: readonly string[];
  readonly roleUid: string;
  /** uid of the group where it applies. */
  readonly parent: string;
  /** When it ends; "" if it does not. */
  readonly expirationTime?: string;
}

/** One or many are one request. */
export const requestOf = ({ identities, roleUid, parent, expirationTime }: Grant) => ({
  endpoint: batchCreateRoleBindings,
  body: {
    parent,
    requests: identities.map((identityUid) => ({
      roleBinding: { identityUid, ...(expirationTime && { expirationTime }) },
    })),
    roleUid,
  },
});

/** Grants identities a role at a group. All or nothing: if one is refused, none is granted. */
export function useGrant(): (grant: Grant) => Promise<readonly RoleBinding[]> {
  const client = useQueryClient();
  const press = useRef<{ readonly request: string; readonly key: string }>(undefined);
  return async (asked) => {
    const { endpoint, body } = requestOf(asked);
    // A repeated press is the same request until it is answered.
    const request = JSON.stringify(body);
    if (press.current?.request !== request) press.current = { request, key: crypto.randomUUID() };
    // Elsewhere safe to retry too: the service rejects the same batch as existing.
    const { roleBindings: made = [] } = await callOnce(endpoint, { body }, press.current.key).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError && error.outcome === "unknown")) press.current = undefined;
        throw error;
      },
    );
    press.current = undefined;
    // A person with a role here now appears in the list of people.
    invalidateDependents(client, [roleBindings.collection, "identities"]);
    return made;
  };
}
