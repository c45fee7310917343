import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { ApiError } from "~/api/client/errors";
import { callOnce } from "~/api/mutations/call-once";
import { invalidateDependents } from "~/api/mutations/patch";
import { useCreate } from "~/api/mutations/writes";
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

const endOf = ({ expirationTime }: Pick<Grant, "expirationTime">) =>
  expirationTime ? { expirationTime } : {};

/** Builds the request: a single binding, or a batch. */
export function requestOf({ identities, roleUid, parent, ...grant }: Grant) {
  const [identityUid = "", ...others] = identities;
  if (others.length === 0)
    return {
      endpoint: roleBindings.create,
      path: { parent },
      body: { identityUid, roleUid, ...endOf(grant) },
    };
  return { endpoint: batchCreateRoleBindings, body: batchOf({ identities, roleUid, parent, ...grant }) };
}

const batchOf = ({ identities, roleUid, parent, ...grant }: Grant) => ({
  parent,
  requests: identities.map((identityUid) => ({ roleBinding: { identityUid, ...endOf(grant) } })),
  roleUid,
});

/** Grants identities a role at a group. All or nothing: if one is refused, none is granted. */
export function useGrant(): (grant: Grant) => Promise<readonly RoleBinding[]> {
  const client = useQueryClient();
  const { mutateAsync } = useCreate(roleBindings);
  const press = useRef<{ readonly request: string; readonly key: string }>(undefined);
  return async (asked) => {
    const { identities, roleUid, parent } = asked;
    const [identityUid, ...others] = identities;
    if (identityUid !== undefined && others.length === 0) {
      const made = await mutateAsync({ parent, body: { identityUid, roleUid, ...endOf(asked) } });
      // A person with a role here now appears in the list of people.
      invalidateDependents(client, ["identities"]);
      return [made];
    }
    const body = batchOf(asked);
    // A repeated press is the same request until it is answered.
    const request = JSON.stringify(body);
    if (press.current?.request !== request) press.current = { request, key: crypto.randomUUID() };
    // Elsewhere safe to retry too: the service rejects the same batch as existing.
    const { roleBindings: made = [] } = await callOnce(
      batchCreateRoleBindings,
      { body },
      press.current.key,
    ).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.outcome === "unknown")) press.current = undefined;
      throw error;
    });
    press.current = undefined;
    invalidateDependents(client, [roleBindings.collection, "identities"]);
    return made;
  };
}
