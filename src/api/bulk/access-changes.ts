import type { QueryClient } from "@tanstack/react-query";

import { parentOf } from "platform-contract/aip";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles } from "platform-contract/iam/roles";

import { call } from "../client/client";
import { ApiError } from "../client/errors";
import { invalidateDependents, removeAll } from "../mutations/patch";
import { sendDelete, wasDeleted } from "../mutations/send-delete";
import { sendUpdate } from "../mutations/send-update";
import { byUids } from "../queries/by-uids";
import type { AccessChange } from "./access-change-plan";
import type { BulkWork } from "./bulk-job";

const GONE = "It was already removed.";
const SAME = "It already had this role.";
const HAD_SMALLER = "It also had the smaller role here, so the larger one was removed.";

const refused = (message: string): ApiError =>
  new ApiError("refused", message, { status: { code: 9, message }, outcome: "none" });

const read = (uid: string): Promise<RoleBinding | undefined> =>
  call(roleBindings.get, { path: { uid } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return undefined;
    throw error;
  });

/** True if an identity has a role in the folder of a binding. */
async function hasRole({ uid, identity }: AccessChange, role: string): Promise<boolean> {
  const query = { "uidp.children_of": parentOf(uid), identity, role, page_size: 1 };
  return (await call(roleBindings.list, { query })).items.length > 0;
}

/** Rejects unless the new role allows nothing that the old one doesn't: roles can change after a decision. */
async function requireSmaller(from: string, to: string): Promise<void> {
  const found = await byUids(roles.list, [from, to]);
  const [before, after] = [from, to].map((uid) => found.find((role) => role.uid === uid)?.capabilities);
  if (!before || !after) throw refused("One of the roles can't be read, so nothing was changed.");
  const more = after.filter((capability) => !before.includes(capability));
  if (more.length > 0)
    throw refused(`The new role allows more than the old one (${more.join(", ")}), so nothing was changed.`);
}

/**
 * Changes role bindings as a review decided. A role is replaced by one update, so that at no time both or neither count;
 * one that is no longer the reviewed one stays as it is.
 */
export function accessChanges(client: QueryClient): BulkWork<AccessChange> {
  const revoked = new Set<string>();
  return {
    // In order, so that what comes first in the list is done first.
    concurrency: 1,
    async send(item) {
      const { uid, from, to, justification } = item;
      const now = await read(uid);
      if (!now) {
        revoked.add(uid);
        if (to === undefined) return GONE;
        if (await hasRole(item, to)) return HAD_SMALLER;
        throw refused("It was removed meanwhile.");
      }
      const role = roleUidOf(now);
      if (to !== undefined && role === to) return SAME;
      if (role !== from) throw refused("Its role changed after the review, so nothing was changed.");
      if (to === undefined) {
        const deleted = await sendDelete(roleBindings, uid, { justification });
        revoked.add(uid);
        return deleted === "gone" ? GONE : undefined;
      }
      await requireSmaller(from, to);
      try {
        const update = { uid, body: { roleUid: to }, mask: ["roleUid"], opened: now, justification };
        await sendUpdate(roleBindings, update, { current: undefined });
        return undefined;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "ALREADY_EXISTS")) throw error;
        await sendDelete(roleBindings, uid, { justification });
        revoked.add(uid);
        return HAD_SMALLER;
      }
    },
    async wasDone({ uid, to }) {
      if (to === undefined) return wasDeleted(roleBindings, uid, "pending");
      const now = await read(uid);
      // Gone: the smaller role may have been there already. It is sent again, which finds out.
      return now !== undefined && roleUidOf(now) === to;
    },
    onDone: (uids) =>
      removeAll(
        client,
        roleBindings.collection,
        uids.filter((uid) => revoked.has(uid)),
      ),
    onIdle: () => invalidateDependents(client, [roleBindings.collection, ...roleBindings.affects]),
  };
}
