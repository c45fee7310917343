import type { QueryClient } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";
import { parentOf } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";

import { call, keepsIdempotencyKeys } from "../client/client";
import { callOnce } from "../mutations/call-once";
import { mayHaveWorked } from "../mutations/poll-outcome";
import { invalidateDependents } from "../mutations/patch";
import { allPages } from "../queries/all-pages";
import type { BulkWork } from "./bulk-job";
import { lackingBindings, replacedBy, sameRule, type IdentityToMigrate } from "./migration-plan";

const refused = (message: string): ApiError =>
  new ApiError("refused", message, { status: { code: 9, message }, outcome: "none" });

/** The identity that an earlier attempt created, here or on another machine: by its rule and what it replaces. */
const find = async ({ uid, parent, body }: IdentityToMigrate): Promise<Identity | undefined> =>
  (
    await allPages<Identity>(identities.list, {
      "uidp.children_of": parent,
      name: body.name,
      order_by: "uid",
    })
  ).find((identity) => replacedBy(identity.description) === uid && sameRule(identity, body));

/** True if the service decided against it, for good. */
const isRefusal = (error: ApiError): boolean =>
  error.kind === "refused" &&
  error.code !== "UNAUTHENTICATED" &&
  !error.passing &&
  error.outcomeUncertain === undefined;

/** Grants one identity the roles of another that it lacks; resolves to their number. */
async function copyRoles(from: string, to: string): Promise<number> {
  const of = (identity: string) => allPages<RoleBinding>(roleBindings.list, { identity, order_by: "uid" });
  const [theirs, own] = await Promise.all([of(from), of(to)]);
  const missing = lackingBindings(theirs, own);
  for (const binding of missing) {
    const { expirationTime } = binding;
    const body = {
      identityUid: to,
      roleUid: roleUidOf(binding),
      ...(expirationTime && { expirationTime }),
    };
    const path = { parent: parentOf(binding.uid) };
    try {
      // oxlint-disable-next-line no-await-in-loop -- few, and the first refusal ends them
      await callOnce(roleBindings.create, { path, body }, crypto.randomUUID());
    } catch (error) {
      // Anything that passes is sent again with the item, which finds what is there already.
      if (!(error instanceof ApiError && isRefusal(error))) throw error;
      if (error.code === "ALREADY_EXISTS") continue;
      const role = binding.role?.name ?? "a role";
      const where = binding.group?.name ?? "another group";
      throw refused(`Created, but ${role} at ${where} couldn't be granted: ${error.message}`);
    }
  }
  return missing.length;
}

const CHANGED = "It was changed since the preview, so nothing was created.";

async function create(item: IdentityToMigrate): Promise<Identity> {
  try {
    return await callOnce(identities.create, { path: { parent: item.parent }, body: item.body }, item.key);
  } catch (error) {
    if (keepsIdempotencyKeys() || !mayHaveWorked(error)) throw error;
    const made = await find(item).catch(() => undefined);
    if (!made) throw error instanceof ApiError ? error.withOutcome("unknown") : error;
    return made;
  }
}

/**
 * Creates an identity beside each old one, with a rule of its own and the same roles. What an earlier attempt made is found
 * and completed, so that sending an item again is safe.
 */
export function migrations(client: QueryClient): BulkWork<IdentityToMigrate> {
  return {
    async send(item) {
      const old = await call(identities.get, { path: { uid: item.uid } });
      if (old.updateTime !== item.updateTime) throw refused(CHANGED);
      const before = await find(item);
      const made = before ?? (await create(item));
      const count = await copyRoles(item.uid, made.uid);
      const roles = count === 1 ? "1 role" : `${count} roles`;
      return before
        ? `It was there already: ${roles} added to ${made.uid}`
        : `Created ${made.uid} with ${roles}`;
    },
    // Sent again, it is found.
    wasDone: () => Promise.resolve(false),
    onDone: () => undefined,
    onIdle: () => invalidateDependents(client, [identities.collection, ...identities.affects]),
  };
}
