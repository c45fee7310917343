import type { QueryClient } from "@tanstack/react-query";

import { identityProviders } from "platform-contract/iam/identity-providers";
import { listMachineOwners, setMachineOwner } from "platform-contract/iam/notices";
import { revokeScimToken } from "platform-contract/iam/scim";

import { call } from "../client/client";
import { invalidateDependents } from "../mutations/patch";
import type { BulkWork } from "./bulk-job";
import type { JobPlan } from "./storage";
import { deletions, type RecordToDelete } from "./teardown";
import { updates, type RecordToUpdate } from "./updates";

/** A machine whose owner leaves; its uid is the machine's. */
interface MachineToHandOver extends RecordToDelete {
  /** uid of the next owner; "" for nobody. */
  readonly owner: string;
}

/** A record that gets back the values that it had. */
interface RecordToPutBack extends RecordToDelete, RecordToUpdate {}

/** A step that ends somebody's access: a deletion, or of `scimTokens` the revocation, with the uid of the provider. */
export type CutOffItem = RecordToDelete | MachineToHandOver | RecordToPutBack;

/** What has no record of its own. */
const SCIM_TOKENS = "scimTokens";

const isPutBack = (item: RecordToDelete): item is RecordToPutBack => "mask" in item;

const isMachine = (item: RecordToDelete): item is MachineToHandOver => "owner" in item;

async function ownerNow(machine: string): Promise<string> {
  const { items } = await call(listMachineOwners, { query: { identity: machine, page_size: 1 } });
  return items[0]?.ownerUid ?? "";
}

async function hasScimToken(uid: string): Promise<boolean> {
  const { scim } = await call(identityProviders.get, { path: { uid } });
  return ["CREDENTIAL_STATE_LIVE", "CREDENTIAL_STATE_ROTATING"].includes(scim?.credentialState ?? "");
}

/**
 * Ends the access of those who leave, or of a token that leaked, step by step in the order of the items: gives their
 * machines to somebody else, puts back what was changed, and removes the rest. A step that fails holds up nothing: each is
 * worth doing without the others.
 */
export function offboarding(
  client: QueryClient,
  data?: unknown,
  justification?: string,
): BulkWork<RecordToDelete> {
  const removal = deletions(client, data, justification);
  const putBack = ({ collection }: RecordToPutBack) =>
    updates(client, { collection, affects: [] }, justification);
  return {
    ...removal,
    concurrency: 1,
    async send(item, items) {
      if (isPutBack(item)) return putBack(item).send(item, []);
      const { uid, collection } = item;
      if (isMachine(item)) {
        await call(setMachineOwner, { path: { uid }, body: { ownerUid: item.owner }, justification });
        return undefined;
      }
      if (collection !== SCIM_TOKENS) return removal.send(item, items);
      await call(revokeScimToken, { path: { uid }, body: {}, justification });
      return undefined;
    },
    async wasDone(item) {
      if (isPutBack(item)) return putBack(item).wasDone(item);
      if (isMachine(item)) return (await ownerNow(item.uid)) === item.owner;
      return item.collection === SCIM_TOKENS ? !(await hasScimToken(item.uid)) : removal.wasDone(item);
    },
    onIdle() {
      removal.onIdle();
      invalidateDependents(client, [listMachineOwners.collection, "endings"]);
    },
  };
}

export const OFFBOARDING: JobPlan = {
  action: "offboarding",
  data: {},
  words: { doing: "Removing", done: "Removed", one: "record", many: "records" },
};
