import type { QueryClient } from "@tanstack/react-query";

import { PAGE_SIZE_MAX, parentOf } from "~/contract/aip";
import type { ListAnswer, ListQuery } from "~/contract/resource";
import type { Endpoint } from "~/contract/endpoint";
import { identities, type Identity } from "~/contract/iam/identities";
import { batchCreateRoleBindings } from "~/contract/iam/role-binding-batches";
import { roleBindings, roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";

import { call } from "../client/client";
import { ApiError } from "../client/errors";
import { contains } from "../client/same-value";
import { callOnce } from "../mutations/call-once";
import { mayHaveWorked } from "../mutations/poll-outcome";
import { invalidateDependents } from "../mutations/patch";
import type { BulkWork } from "./bulk-job";
import type { IdentityToMigrate } from "./migration-plan";

const refused = (message: string): ApiError =>
  new ApiError("refused", message, { status: { code: 9, message }, outcome: "none" });

/** Reads all pages of a short list. */
async function all<T>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  query: Readonly<Record<string, string>>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let token: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the one before
    const page = await call(list, {
      query: { ...query, page_size: PAGE_SIZE_MAX, ...(token && { page_token: token }) },
    });
    found.push(...page.items);
    token = page.nextPageToken;
  } while (token);
  return found;
}

/** The identity that an earlier attempt created, here or on another machine. */
const find = async ({ parent, body }: IdentityToMigrate): Promise<Identity | undefined> =>
  (
    await all<Identity>(identities.list, { "uidp.children_of": parent, name: body.name, order_by: "uid" })
  ).find((identity) => contains(body as unknown as Record<string, unknown>, identity));

const placeOf = (binding: RoleBinding): string => `${parentOf(binding.uid)} ${roleUidOf(binding)}`;

/** Grants one identity the roles of another; resolves to their number. */
async function copyRoles(from: string, to: string): Promise<number> {
  const of = (identity: string) => all<RoleBinding>(roleBindings.list, { identity, order_by: "uid" });
  const [theirs, own] = await Promise.all([of(from), of(to)]);
  const there = new Set(own.map(placeOf));
  for (const binding of theirs) {
    if (there.has(placeOf(binding))) continue;
    const { expirationTime } = binding;
    const roleBinding = { identityUid: to, ...(expirationTime && { expirationTime }) };
    const body = { parent: parentOf(binding.uid), roleUid: roleUidOf(binding), requests: [{ roleBinding }] };
    try {
      // oxlint-disable-next-line no-await-in-loop -- few, and the first refusal ends them
      await callOnce(batchCreateRoleBindings, { body }, crypto.randomUUID());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "ALREADY_EXISTS") continue;
      // After others the item is sent again, which finds what is there already.
      if (error.code !== "PERMISSION_DENIED" && error.code !== "FAILED_PRECONDITION") throw error;
      const role = binding.role?.name ?? "a role";
      const where = binding.group?.name ?? "another group";
      throw refused(`Created, but ${role} at ${where} couldn't be granted: ${error.message}`);
    }
  }
  return theirs.length;
}

/**
 * Creates an identity beside each old one, with a rule of its own and the same roles. What an earlier attempt made is found
 * and completed, so that sending an item again is safe.
 */
export function migrations(client: QueryClient): BulkWork<IdentityToMigrate> {
  return {
    async send(item) {
      const old = await call(identities.get, { path: { uid: item.uid } });
      if (old.updateTime !== item.updateTime)
        throw refused("It was changed since the preview, so nothing was created.");
      const create = () =>
        callOnce(identities.create, { path: { parent: item.parent }, body: item.body }, item.key);
      let made = await find(item);
      try {
        made ??= await create();
      } catch (error) {
        if (!mayHaveWorked(error)) throw error;
        made = await find(item);
        if (!made) throw error;
      }
      const count = await copyRoles(item.uid, made.uid);
      return `With ${count === 1 ? "1 role" : `${count} roles`}: ${made.uid}`;
    },
    // Sent again, it is found.
    wasDone: () => Promise.resolve(false),
    onDone: () => undefined,
    onIdle: () => invalidateDependents(client, [identities.collection, ...identities.affects]),
  };
}
