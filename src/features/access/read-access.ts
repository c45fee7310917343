import { ApiError } from "~/api/client/errors";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { groupInvites, type GroupInvite } from "~/contract/iam/group-invites";
import { roleBindings, type RoleBinding } from "~/contract/iam/role-bindings";
import { readAll } from "~/features/bulk-delete/read-all";

import { isPendingOf } from "./sent-invites";

/** Someone whose access ends. */
export interface Leaver {
  readonly uid: string;
  readonly name: string;
}

/** What someone has, and has given away, as far as the caller can see it. */
export interface Access {
  readonly bindings: readonly RoleBinding[];
  /** Pending invites that they created. */
  readonly invites: readonly GroupInvite[];
  /** True if the caller cannot list invites. */
  readonly invitesUnread: boolean;
}

interface Reading {
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** Reads every role binding of these identities, one list each, and every invite once. Rejects with an ApiError. */
export async function readAccess(leavers: readonly Leaver[], reading: Reading): Promise<Access> {
  const bindings: RoleBinding[] = [];
  for (const { uid } of leavers) {
    const list = infinite(roleBindings.list, { identity: uid, order_by: "uid", page_size: PAGE_SIZE_MAX });
    // oxlint-disable-next-line no-await-in-loop -- one list at a time: there can be many
    bindings.push(...(await readAll<RoleBinding>(list, () => true, reading)));
  }
  const now = Date.now();
  const sent = infinite(groupInvites.list, { order_by: "uid", page_size: PAGE_SIZE_MAX });
  try {
    const byThem = (invite: GroupInvite) => leavers.some(({ uid }) => isPendingOf(invite, uid, now));
    return { bindings, invites: await readAll<GroupInvite>(sent, byThem, reading), invitesUnread: false };
  } catch (error) {
    if (error instanceof ApiError && error.code === "PERMISSION_DENIED")
      return { bindings, invites: [], invitesUnread: true };
    throw error;
  }
}
