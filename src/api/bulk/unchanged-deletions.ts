import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";

import { ApiError } from "platform-client/errors";
import { endpoint } from "platform-contract/endpoint";

import { call } from "../client/client";
import type { BulkWork, JobTarget } from "./bulk-job";
import { deletion, plainResource, type DeletableCollection } from "./deletion";
import type { JobPlan, JobWords } from "./storage";

/** A record as it was when someone chose to delete it. */
export interface RecordToDelete extends JobTarget {
  readonly updateTime: string | undefined;
}

const record = z.looseObject({ updateTime: z.optional(z.string()) });

const CHANGED = "It was changed since the preview, so it was kept.";

/** Deletes records that are still as they were when they were chosen; looks at each right before. */
export function unchangedDeletions(
  client: QueryClient,
  resource: DeletableCollection,
  justification?: string,
): BulkWork<RecordToDelete> {
  const work = deletion(client, resource, justification);
  const { collection, get } = resource;
  if (!get) throw new Error(`This version of the console can't read ${collection} one by one.`);
  const { verb, method, path, access, summary } = get;
  const look = endpoint({ collection, verb, method, path, access, summary, answer: record });
  return {
    ...work,
    async send(item, items) {
      const now = await call(look, { path: { uid: item.uid } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === "NOT_FOUND") return undefined;
        throw error;
      });
      // Gone: the deletion says so.
      if (now && now.updateTime !== item.updateTime)
        throw new ApiError("refused", CHANGED, { outcome: "none" });
      return work.send(item, items);
    },
  };
}

/** The plan of a job that deletes records which are as they were. */
export const unchangedDeletionPlan = (
  resource: DeletableCollection,
  nouns: Pick<JobWords, "one" | "many">,
): JobPlan => ({
  action: "delete-unchanged",
  data: plainResource(resource),
  words: { doing: "Deleting", done: "Deleted", ...nouns },
});
