import type { QueryClient } from "@tanstack/react-query";

import type { Endpoint } from "platform-contract/endpoint";

import { invalidateDependents, removeAll, refreshDerived, refreshLists } from "../mutations/patch";
import { sendDelete, wasDeleted, type Deletable } from "../mutations/send-delete";
import type { BulkWork } from "./bulk-job";
import type { JobPlan, JobWords } from "./storage";

export interface DeletableCollection extends Deletable {
  readonly collection: string;
  readonly affects: readonly string[];
}

/** Deletes records and removes their rows from every list; refetches whatever else they affect once, when idle. */
export const deletion = (
  client: QueryClient,
  resource: DeletableCollection,
  justification?: string,
): BulkWork => ({
  send: async ({ uid }) =>
    (await sendDelete(resource, uid, { justification })) === "gone" ? "It was already deleted." : undefined,
  wasDone: ({ uid }) => wasDeleted(resource, uid, "pending"),
  onDone: (uids) => removeAll(client, resource.collection, uids),
  onIdle() {
    // Lists also count rows that they have not loaded.
    refreshLists(client, resource.collection);
    void refreshDerived(client, resource.collection);
    invalidateDependents(client, resource.affects);
  },
});

/** The plan of a job that deletes records of one resource. */
export const deletionPlan = (
  resource: DeletableCollection,
  nouns: Pick<JobWords, "one" | "many">,
): JobPlan => ({
  action: "delete",
  data: plainResource(resource),
  words: { doing: "Deleting", done: "Deleted", ...nouns },
});

/** The parts of a resource that a deletion needs, as JSON. */
export const plainResource = ({
  collection,
  affects,
  get,
  delete: remove,
}: DeletableCollection): DeletableCollection => ({
  collection,
  affects,
  delete: plain(remove),
  ...(get && { get: plain(get) }),
});

/** An endpoint without its schemas, which are not JSON: a delete has no body, and its check needs no fields. */
const plain = ({ types: _types, ...endpoint }: Endpoint<object, undefined, unknown>) => ({
  ...endpoint,
  query: {},
  body: undefined,
  answer: undefined,
});
