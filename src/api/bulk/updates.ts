import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";

import { ApiError } from "platform-client/errors";
import { endpoint } from "platform-contract/endpoint";
import { pathOfKind } from "platform-contract/kind";
import { kindOf } from "platform-contract/kinds";

import { call } from "../client/client";
import { sameAt } from "../client/same-value";
import { invalidateDependents, refreshDerived, upsert } from "../mutations/patch";
import { sendUpdate, type Updatable } from "../mutations/send-update";
import type { BulkWork, JobTarget } from "./bulk-job";
import type { JobPlan, JobWords } from "./storage";

/** A record, and some fields of it. */
export interface RecordToUpdate extends JobTarget {
  /** Their camelCase paths. */
  readonly mask: readonly string[];
  /** What they were when the user chose the change, and what they become. */
  readonly before: object;
  readonly body: object;
}

interface Collection {
  readonly collection: string;
  readonly affects: readonly string[];
}

const record = z.looseObject({ uid: z.string(), updateTime: z.optional(z.string()) });
type Item = z.infer<typeof record>;

const CHANGED = "Someone else changed this meanwhile, so it was left as it is.";

/** Changes fields of many records of one kind. Leaves alone what someone else has changed meanwhile. */
export function updates(
  client: QueryClient,
  { collection, affects }: Collection,
  justification?: string,
): BulkWork<RecordToUpdate> {
  const resource = updatable(collection);
  return {
    async send({ uid, mask, before, body }) {
      try {
        const request = { uid, body, mask, opened: { uid, ...before }, justification };
        upsert(client, collection, await sendUpdate(resource, request, { current: undefined }));
        return undefined;
      } catch (error) {
        if (error instanceof ApiError && error.outcome === "changed")
          throw new ApiError("refused", CHANGED, { outcome: "none" });
        throw error;
      }
    },
    wasDone: async ({ uid, mask, body }) => sameAt(await call(resource.get, { path: { uid } }), body, mask),
    // Each row was shown with its answer.
    onDone: () => undefined,
    onIdle() {
      void refreshDerived(client, collection);
      invalidateDependents(client, affects);
    },
  };
}

/** The endpoints of a kind without its fields, which a stored job does not have. */
function updatable(collection: string): Updatable<Item, object> {
  const kind = kindOf(collection);
  const { noun, access } = kind ?? {};
  if (!kind || !access?.get || !access.update)
    throw new Error(`This version of the console can't change ${collection}.`);
  const path = `${pathOfKind(kind)}/{uid}`;
  const of = { collection, path, answer: record };
  return {
    get: endpoint({ ...of, verb: "get", method: "GET", access: access.get, summary: `get ${noun}` }),
    update: endpoint({
      ...of,
      verb: "update",
      method: "PATCH",
      access: access.update,
      query: { updateMask: z.optional(z.string()) },
      body: z.looseObject({}),
      summary: `update ${noun}`,
    }),
  };
}

/** The plan of a job that changes records of one resource. */
export const updatePlan = (
  { collection, affects }: Collection,
  nouns: Pick<JobWords, "one" | "many">,
): JobPlan => ({
  action: "update",
  data: { collection, affects },
  words: { doing: "Changing", done: "Changed", ...nouns },
});
