import type { QueryClient } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";
import { ALL_KINDS } from "platform-contract/registry/tags";

import { call, keepsIdempotencyKeys } from "../client/client";
import { contains } from "../client/same-value";
import { callOnce } from "../mutations/call-once";
import { invalidateDependents } from "../mutations/patch";
import { mayHaveWorked } from "../mutations/poll-outcome";
import type { Creatable } from "../mutations/send-create";
import { findCreated, type Created } from "../mutations/unconfirmed-create";
import type { BulkWork } from "./bulk-job";
import { COPYABLE } from "./copy-plan";
import { createdRecords, noteCreated, type CreationData, type RecordToCreate } from "./creation-plan";
import { RECREATABLE, type RecordToRecreate } from "./recreation-plan";

type Creation = Creatable<Created, unknown> & { readonly affects: readonly string[] };

/** Kinds of which many can be created together. */
const CREATABLE: Readonly<Record<string, Creation>> = { ...COPYABLE, ...RECREATABLE };

const LOST = "It was created, but the answer was lost.";

/** Creates records once each: by the key of each, or, where the service keeps none, after a look whether it is there. */
export function creations(client: QueryClient, { collection }: CreationData): BulkWork<RecordToCreate> {
  const resource = CREATABLE[collection];
  if (!resource) throw new Error(`This version of the console can't create ${collection}.`);
  const find = ({ parent, body, key, notBefore }: RecordToCreate) =>
    findCreated(resource.list, {
      key,
      parent,
      body,
      notBefore,
      before: new Set([...createdRecords().values()].map(({ uid }) => uid)),
      unanswered: resource.behavior?.inputOnly ?? [],
    });
  return {
    async send(item) {
      try {
        const record = await callOnce(
          resource.create,
          { path: { parent: item.parent }, body: item.body },
          item.key,
        );
        noteCreated(item.uid, record);
        return { newUid: record.uid };
      } catch (error) {
        if (keepsIdempotencyKeys() || !mayHaveWorked(error)) throw error;
        const record = await find(item).catch(() => undefined);
        if (!record) throw error instanceof ApiError ? error.withOutcome("unknown") : error;
        noteCreated(item.uid, record);
        return { newUid: record.uid, reason: LOST };
      }
    },
    async wasDone(item) {
      // Sent again with its key, the service gives the first answer, or creates it now.
      if (keepsIdempotencyKeys()) return false;
      const record = await find(item);
      if (record) noteCreated(item.uid, record);
      return record !== undefined;
    },
    onDone: () => undefined,
    onIdle: () => invalidateDependents(client, [collection, ...resource.affects]),
  };
}

const TAKEN = "There is another one by this name now, which was left as it is.";

/** A tag by the name of a deleted one: creating that again would replace it. */
async function namesake({ collection, parent, body }: RecordToRecreate): Promise<object | undefined> {
  if (collection !== "tags") return undefined;
  const { name }: { readonly name: string } = Object(body);
  const query = { "uidp.children_of": parent, name, ...ALL_KINDS, page_size: 1 };
  return (await call(RECREATABLE.tags.list, { query })).items?.[0];
}

/** Creates deleted records again, as they were but for what the service sets. */
export function recreations(client: QueryClient): BulkWork<RecordToRecreate> {
  const works = new Map(
    Object.keys(RECREATABLE).map((collection) => [collection, creations(client, { collection })]),
  );
  const workOf = (collection: string) => works.get(collection) ?? creations(client, { collection });
  return {
    async send(item, items) {
      const there = await namesake(item);
      if (there && contains(item.body, there)) return "It is there again.";
      if (there) throw new ApiError("refused", TAKEN, { outcome: "none" });
      return workOf(item.collection).send(item, items);
    },
    wasDone: (item) => workOf(item.collection).wasDone(item),
    onDone: () => undefined,
    onIdle: () => works.forEach((work) => work.onIdle()),
  };
}
