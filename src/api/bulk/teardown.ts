import type { QueryClient } from "@tanstack/react-query";

import { parentOf } from "platform-contract/aip";
import { kindOf, kinds } from "platform-contract/kinds";
import { deletableKind } from "platform-contract/resource";

import { invalidateDependents, removeAll } from "../mutations/patch";
import { sendDelete, wasDeleted, type Deletable } from "../mutations/send-delete";
import type { BulkWork, JobTarget } from "./bulk-job";
import type { JobPlan } from "./storage";

/** A record of any kind. */
export interface RecordToDelete extends JobTarget {
  readonly collection: string;
}

/** Deletes records of several kinds, each after the records that block its deletion. */
export const teardown = (client: QueryClient): BulkWork<RecordToDelete> => ({
  ...deletions(client),
  concurrency: 1,
  stopsAtFailure: true,
});

/** Deletes records of several kinds that do not depend on each other. */
export function deletions(
  client: QueryClient,
  _data?: unknown,
  justification?: string,
): BulkWork<RecordToDelete> {
  const collections = new Map<string, string>();
  const resourceOf = ({ uid, collection }: RecordToDelete): Deletable => {
    collections.set(uid, collection);
    const kind = kindOf(collection);
    const resource = kind && deletableKind(kind);
    if (!resource) throw new Error(`This version of the console can't delete ${collection}.`);
    return resource;
  };
  return {
    send: async (item) => {
      // Deleting an organization also deletes the caller's own role bindings.
      const endsAccess = parentOf(item.uid) === "";
      const deleted = await sendDelete(resourceOf(item), item.uid, { endsAccess, justification });
      return deleted === "gone" ? "It was already deleted." : undefined;
    },
    wasDone: async (item) => wasDeleted(resourceOf(item), item.uid, "pending"),
    onDone(uids) {
      for (const collection of new Set(collections.values()))
        removeAll(
          client,
          collection,
          uids.filter((uid) => collections.get(uid) === collection),
        );
    },
    onIdle: () =>
      invalidateDependents(
        client,
        kinds.map(({ collection }) => collection),
      ),
  };
}

export const TEARDOWN: JobPlan = {
  action: "teardown",
  data: {},
  words: { doing: "Deleting", done: "Deleted", one: "record", many: "records" },
};

export const DELETIONS: JobPlan = {
  action: "deletions",
  data: {},
  words: { doing: "Deleting", done: "Deleted", one: "record", many: "records" },
};
