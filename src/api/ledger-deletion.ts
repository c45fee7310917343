import type { QueryClient } from "@tanstack/react-query";

import type { Endpoint } from "~/contract/endpoint";

import { createLedger } from "./ledger";
import type { LedgerItem } from "./ledger-items";
import { findLedger, keepLedger, type LedgerPlan } from "./ledger-keep";
import { openLedger, putLedger } from "./ledger-slot";
import type { DeletableCollection, LedgerWork } from "./ledger-types";
import { affect, dropRecords, refreshDerived, refreshLists } from "./patch";
import { sendDelete, wasDeleted } from "./send-delete";

/** Deletes records and takes their rows out of every list; what else they touch is read again once, at rest. */
const deletion = (client: QueryClient, resource: DeletableCollection): LedgerWork => ({
  send: async (uid) => ((await sendDelete(resource, uid)) === "gone" ? "gone" : "done"),
  wasDone: (uid) => wasDeleted(resource, uid, "late"),
  onDone: (uids) => dropRecords(client, resource.collection, uids),
  onRest() {
    // Lists count rows, too, that they do not hold.
    refreshLists(client, resource.collection);
    void refreshDerived(client, resource.collection);
    affect(client, resource.affects);
  },
});

/** Whether there is a ledger with something left to do: there is room for one. */
export const isLedgerBusy = (): boolean => (openLedger()?.ledger.get().run ?? "over") !== "over";

interface Order {
  readonly client: QueryClient;
  /** Who asks for it: a ledger is theirs alone. */
  readonly owner: string;
}

/** Begins to delete records, as this tab's ledger. */
export function startDeletion(
  { client, owner }: Order,
  resource: DeletableCollection,
  words: Pick<LedgerPlan, "one" | "many">,
  records: readonly { readonly uid: string; readonly name: string }[],
): void {
  const plan = { ...words, resource: bare(resource) };
  const items = records.map(({ uid, name }): LedgerItem => ({ uid, name, state: "queued" }));
  const ledger = createLedger(items, deletion(client, resource), keepLedger(owner, plan, items));
  putLedger({ ledger, plan, restored: false });
  ledger.resume();
}

/** Opens the ledger that a page of the same tab has left, paused; none when there is none, or somebody else's. */
export function restoreDeletion({ client, owner }: Order): void {
  const found = findLedger(owner);
  if (!found) return putLedger(undefined);
  const { plan, items, keeper } = found;
  const ledger = createLedger(items, deletion(client, plan.resource), keeper);
  putLedger({ plan, ledger, restored: true });
}

/** A resource without its schemas, which cannot be kept: whether a record is there needs nothing of what is in it. */
function bare({ collection, affects, get, delete: remove }: DeletableCollection): DeletableCollection {
  const without = ({ types: _types, ...endpoint }: Endpoint<object, undefined, unknown>) => ({
    ...endpoint,
    query: {},
    body: undefined,
    answer: undefined,
  });
  return { collection, affects, delete: without(remove), ...(get && { get: without(get) }) };
}
