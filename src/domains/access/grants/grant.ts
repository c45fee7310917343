import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { callOnce } from "~/api/mutations/call-once";
import { invalidateDependents } from "~/api/mutations/patch";
import { sendCreate } from "~/api/mutations/send-create";
import type { UnconfirmedCreate } from "~/api/mutations/unconfirmed-create";
import { ApiError } from "platform-client/errors";
import type { RequestInfo } from "platform-client/request-info";
import type { Endpoint } from "platform-contract/endpoint";
import { batchCreateRoleBindings } from "platform-contract/iam/role-binding-batches";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { formatCount } from "~/ui/display/numbers";

export interface Grant {
  readonly identities: readonly string[];
  readonly roleUid: string;
  /** uid of the group where it applies. */
  readonly parent: string;
  /** When it ends; "" if it does not. */
  readonly expirationTime?: string;
  /** Why, for the audit log. */
  readonly justification?: string;
}

/** What the service has answered so far to the requests of one form. */
interface Progress {
  /** The grant without its identities. */
  readonly of: string;
  /** The last batch: a repeated press is the same request until it is answered. */
  batch?: { readonly request: string; readonly key: string } | undefined;
  /** Made one by one, by identity. */
  readonly made: Map<string, RoleBinding>;
  /** Sent one by one, perhaps without an answer, by identity. */
  readonly sent: Map<string, { current: UnconfirmedCreate | undefined }>;
}

/** Pages whose service has answered that it has no batches: they are not part of the specification. */
const withoutBatches = new WeakSet<QueryClient>();

const endOf = ({ expirationTime }: Grant) => (expirationTime ? { expirationTime } : {});

const bodyOf = (grant: Grant, identityUid: string) => ({
  identityUid,
  roleUid: grant.roleUid,
  ...endOf(grant),
});

const batchOf = (grant: Grant) => ({
  parent: grant.parent,
  requests: grant.identities.map((identityUid) => ({ roleBinding: { identityUid, ...endOf(grant) } })),
  roleUid: grant.roleUid,
});

/** The requests of a grant: a batch for several identities, where the service has batches. */
export const requestsOf = (
  client: QueryClient,
  grant: Grant,
): readonly (RequestInfo & { readonly endpoint: Endpoint })[] =>
  grant.identities.length > 1 && !withoutBatches.has(client)
    ? [{ endpoint: batchCreateRoleBindings, body: batchOf(grant), justification: grant.justification }]
    : grant.identities.map((identity) => ({
        endpoint: roleBindings.create,
        path: { parent: grant.parent },
        body: bodyOf(grant, identity),
        justification: grant.justification,
      }));

/**
 * Grants identities a role at a group. Several are one batch, all or none. Where the service has no batches, they are
 * created one by one: the error of a refused one says how many were granted, and a retry sends only the rest.
 */
export function useGrant(): (grant: Grant) => Promise<readonly RoleBinding[]> {
  const client = useQueryClient();
  const own = useRef<Progress>(undefined);
  return async (grant) => {
    const { identities, justification: _, ...rest } = grant;
    const of = JSON.stringify(rest);
    if (own.current?.of !== of) own.current = { of, made: new Map(), sent: new Map() };
    const progress = own.current;
    const batches = identities.length > 1 && !withoutBatches.has(client);
    const made = await (batches ? batch : oneByOne)(client, grant, progress);
    own.current = undefined;
    granted(client);
    return made;
  };
}

/** A person with a role here now appears in the list of people. */
const granted = (client: QueryClient) =>
  invalidateDependents(client, [roleBindings.collection, "identities"]);

async function batch(client: QueryClient, grant: Grant, progress: Progress): Promise<readonly RoleBinding[]> {
  const body = batchOf(grant);
  const { justification } = grant;
  const request = JSON.stringify([body, justification]);
  if (progress.batch?.request !== request) progress.batch = { request, key: crypto.randomUUID() };
  try {
    // Elsewhere safe to retry too: the service rejects the same batch as existing.
    const { roleBindings: made = [] } = await callOnce(
      batchCreateRoleBindings,
      { body, justification },
      progress.batch.key,
    );
    return made;
  } catch (error) {
    if (!(error instanceof ApiError && error.outcome === "unknown")) progress.batch = undefined;
    if (!(error instanceof ApiError && error.operationMissing)) throw error;
    withoutBatches.add(client);
    return oneByOne(client, grant, progress);
  }
}

async function oneByOne(
  client: QueryClient,
  grant: Grant,
  { made, sent }: Progress,
): Promise<readonly RoleBinding[]> {
  const { identities, parent, justification } = grant;
  for (const identity of identities) {
    if (made.has(identity)) continue;
    const attempt = sent.get(identity) ?? { current: undefined };
    sent.set(identity, attempt);
    const request = { parent, body: bodyOf(grant, identity), justification };
    try {
      made.set(identity, await sendCreate(client, roleBindings, request, attempt));
    } catch (error) {
      const done = identities.filter((each) => made.has(each)).length;
      if (!(error instanceof ApiError) || done === 0) throw error;
      granted(client);
      const some = `${formatCount(done)} of ${formatCount(identities.length)} have the role now. Granting the next one failed: ${error.message}`;
      throw error.withOutcome(error.outcome ?? "none", some);
    }
  }
  return identities.flatMap((identity) => made.get(identity) ?? []);
}
