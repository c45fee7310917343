import type { QueryClient } from "@tanstack/react-query";

import type { Endpoint } from "~/contract/endpoint";

import { createLedger } from "./bulk-job";
import type { LedgerItem } from "./items";
import { findLedger, keepLedger, type KeptLedger, type LedgerPlan } from "./storage";
import { openLedger, putLedger } from "./current-job";
import { browserTabs, claimLedger, followLedger, tellTabs, type FollowedLedger } from "./tabs";
import type { DeletableCollection, Ledger, LedgerWork } from "./types";
import { invalidateDependents, removeAll, refreshDerived, refreshLists } from "../mutations/patch";
import { sendDelete, wasDeleted } from "../mutations/send-delete";

/** Deletes records and takes their rows out of every list; what else they touch is read again once, at rest. */
const deletion = (client: QueryClient, resource: DeletableCollection): LedgerWork => ({
  send: async (uid) => ((await sendDelete(resource, uid)) === "gone" ? "gone" : "done"),
  wasDone: (uid) => wasDeleted(resource, uid, "late"),
  onDone: (uids) => removeAll(client, resource.collection, uids),
  onRest() {
    // Lists count rows, too, that they do not hold.
    refreshLists(client, resource.collection);
    void refreshDerived(client, resource.collection);
    invalidateDependents(client, resource.affects);
  },
});

/** Whether this tab has a ledger with something left to do: there is room for one. */
export function isLedgerBusy(): boolean {
  const run = openLedger()?.ledger.get().run;
  return run === "running" || run === "paused";
}

interface Order {
  readonly client: QueryClient;
  /** Who asks for it: a ledger is theirs alone. */
  readonly owner: string;
}

/** A console at another path of the same host has another API, and the same storage. */
const whose = ({ owner }: Order): string => `${owner} ${document.baseURI}`;

/** Milliseconds in which the page before this one gives its ledger up; after that another tab has it. */
const HANDOVER = 300;

/** Ends the wait for a ledger that is to be opened again. */
let stopRestoring: () => void = () => undefined;

/** Begins to delete records, as this tab's ledger. */
export function startDeletion(
  order: Order,
  resource: DeletableCollection,
  words: Pick<LedgerPlan, "one" | "many">,
  records: readonly { readonly uid: string; readonly name: string }[],
): void {
  stopRestoring();
  openLedger()?.ledger.close();
  const plan = { ...words, resource: bare(resource) };
  const items = records.map(({ uid, name }): LedgerItem => ({ uid, name, state: "queued" }));
  const kept = keepLedger(whose(order), plan, items);
  // Nobody else can have it: no tab knows of it yet.
  const release = claimLedger(kept.run, browserTabs(), () => undefined);
  lead(order.client, kept, release, false).resume();
}

/** Opens a ledger as its owner: this tab is the one that sends. */
function lead(client: QueryClient, kept: KeptLedger, release: () => void, restored: boolean): Ledger {
  const { run, plan, items } = kept;
  const keeper = tellTabs(run, items, kept.keeper, browserTabs());
  const forget = () => {
    keeper.forget();
    release();
  };
  const ledger = createLedger(items, deletion(client, plan.resource), { ...keeper, forget });
  putLedger({ ledger, plan, restored });
  return ledger;
}

/**
 * Opens the ledger that a page of the same tab has left, paused; none when there is none, or somebody else's. While
 * another tab has it, since this one is its duplicate, it may be looked at, and comes here when that tab is gone.
 * Returns how to stop waiting for it.
 */
export function restoreDeletion(order: Order): () => void {
  stopRestoring();
  const kept = findLedger(whose(order));
  if (!kept) {
    putLedger(undefined);
    return () => undefined;
  }
  const { client } = order;
  const { run, plan, keeper } = kept;
  let followed: FollowedLedger | undefined;
  const follow = () => {
    const following = followLedger(run, kept.items, {
      keeper,
      tabs: browserTabs(),
      onDone: (uids) => removeAll(client, plan.resource.collection, uids),
      onClosed() {
        release();
        putLedger(undefined);
      },
    });
    const close = () => {
      release();
      following.close();
    };
    followed = following;
    putLedger({ ledger: { ...following, close }, plan, restored: true });
  };
  const waiting = setTimeout(follow, HANDOVER);
  const release = claimLedger(run, browserTabs(), () => {
    clearTimeout(waiting);
    lead(client, { ...kept, items: followed?.leave() ?? kept.items }, release, true);
  });
  stopRestoring = () => {
    if (openLedger()) return;
    clearTimeout(waiting);
    release();
  };
  return stopRestoring;
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
