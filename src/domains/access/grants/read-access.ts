import type { RetryPolicy } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";
import { ApiError } from "platform-client/errors";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { eligibleGrants, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import { listMachineOwners, type MachineOwner } from "platform-contract/iam/notices";
import { groupInvites, type GroupInvite } from "platform-contract/iam/group-invites";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { readAll } from "~/frame/bulk-delete/read-all";

import type { Leaver } from "./leaver";
import { readPaths } from "./read-paths";
import { isPendingOf } from "./sent-invites";

/** What someone has, and has given away, as far as the caller can see it. */
export interface Access {
  readonly bindings: readonly RoleBinding[];
  /** Pending invites that they created, and those to their address: with one they come back. */
  readonly invites: readonly GroupInvite[];
  /** What they can switch on: without any role they could still. */
  readonly eligible: readonly EligibleGrant[];
  /** Machines that they answer for. */
  readonly machines: readonly MachineOwner[];
  /** The path of each of their folders, by uid: "acme / runtime / python". */
  readonly paths: ReadonlyMap<string, string>;
  /** True if the caller cannot list invites. */
  readonly invitesUnread: boolean;
}

interface Reading {
  /** The service keeps who answers for machines. */
  readonly keepsOwners: boolean;
  /** The service keeps what people can switch on. */
  readonly keepsEligible: boolean;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** Reads every role binding of these identities, one list each, and every invite once, and where they are. Rejects with an ApiError. */
export async function readAccess(leavers: readonly Leaver[], reading: Reading): Promise<Access> {
  const bindings: RoleBinding[] = [];
  for (const { uid } of leavers) {
    const list = infinite(roleBindings.list, { identity: uid, order_by: "uid", page_size: PAGE_SIZE_MAX });
    // oxlint-disable-next-line no-await-in-loop -- one list at a time: there can be many
    bindings.push(...(await readAll<RoleBinding>(list, () => true, reading)));
  }
  const machines: MachineOwner[] = [];
  for (const { uid } of reading.keepsOwners ? leavers : []) {
    const list = infinite(listMachineOwners, { owner: uid, order_by: "uid", page_size: PAGE_SIZE_MAX });
    // oxlint-disable-next-line no-await-in-loop -- the same
    machines.push(...(await readAll<MachineOwner>(list, () => true, reading)));
  }
  const eligible: EligibleGrant[] = [];
  for (const { uid } of reading.keepsEligible ? leavers : []) {
    const list = infinite(eligibleGrants.list, { identity: uid, order_by: "uid", page_size: PAGE_SIZE_MAX });
    // oxlint-disable-next-line no-await-in-loop -- the same
    eligible.push(...(await readAll<EligibleGrant>(list, () => true, reading)));
  }
  const invites = await readInvites(leavers, reading);
  const records = [...machines, ...eligible, ...bindings, ...(invites ?? [])];
  const paths = await readPaths(records, reading.signal);
  return {
    bindings,
    eligible,
    machines,
    invites: invites ?? [],
    paths,
    invitesUnread: invites === undefined,
  };
}

/** The pending invites that these identities created or that are for their address; undefined if the caller cannot list invites. */
async function readInvites(
  leavers: readonly Leaver[],
  reading: Reading,
): Promise<readonly GroupInvite[] | undefined> {
  const now = Date.now();
  const theirs = (invite: GroupInvite) => leavers.some((leaver) => isPendingOf(invite, leaver, now));
  try {
    const sent = infinite(groupInvites.list, { order_by: "uid", page_size: PAGE_SIZE_MAX });
    return await readAll<GroupInvite>(sent, theirs, reading);
  } catch (error) {
    if (error instanceof ApiError && error.code === "PERMISSION_DENIED") return undefined;
    throw error;
  }
}
