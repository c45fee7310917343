import type { QueryClient } from "@tanstack/react-query";

import { listMachineOwners, setMachineOwner } from "platform-contract/iam/notices";

import { call } from "../client/client";
import { invalidateDependents } from "../mutations/patch";
import type { BulkWork } from "./bulk-job";
import type { JobPlan } from "./storage";
import { deletions, type RecordToDelete } from "./teardown";

/** A machine whose owner leaves; its uid is the machine's. */
interface MachineToHandOver extends RecordToDelete {
  /** uid of the next owner; "" for nobody. */
  readonly owner: string;
}

const isMachine = (item: RecordToDelete): item is MachineToHandOver => "owner" in item;

async function ownerNow(machine: string): Promise<string> {
  const { items } = await call(listMachineOwners, { query: { identity: machine, page_size: 1 } });
  return items[0]?.ownerUid ?? "";
}

/**
 * Gives the machines of those who leave to somebody else, then removes their access, one after the other. A machine that
 * couldn't be given away holds up nothing: without its owner's roles it is its folder's.
 */
export function offboarding(
  client: QueryClient,
  data?: unknown,
  justification?: string,
): BulkWork<RecordToDelete> {
  const removal = deletions(client, data, justification);
  return {
    ...removal,
    concurrency: 1,
    async send(item, items) {
      if (!isMachine(item)) return removal.send(item, items);
      const { uid, owner: ownerUid } = item;
      await call(setMachineOwner, { path: { uid }, body: { ownerUid }, justification });
      return undefined;
    },
    wasDone: async (item) =>
      isMachine(item) ? (await ownerNow(item.uid)) === item.owner : removal.wasDone(item),
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
