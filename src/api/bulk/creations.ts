import type { QueryClient } from "@tanstack/react-query";

import { groupInvites } from "~/contract/iam/group-invites";
import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";

import { keepsIdempotencyKeys } from "../client/client";
import { ApiError } from "../client/errors";
import { callOnce } from "../mutations/call-once";
import { invalidateDependents } from "../mutations/patch";
import { mayHaveWorked } from "../mutations/poll-outcome";
import type { Creatable } from "../mutations/send-create";
import { findCreated, type Created } from "../mutations/unconfirmed-create";
import type { BulkWork, Target } from "./bulk-job";
import type { JobPlan, JobWords } from "./storage";

type Creation = Creatable<Created, unknown> & { readonly affects: readonly string[] };

/** Kinds of which many can be created together. */
const CREATABLE = { identities, groupInvites, groups } as unknown as Readonly<Record<string, Creation>>;

/** A record to create. `uid` names the item alone: the record has none yet. */
export interface RecordToCreate extends Target {
  /** uid of the group. */
  readonly parent: string;
  readonly body: object;
  /** Repeats of the request have the same key. */
  readonly key: string;
  /** No record that it creates is older, in ms by the service's clock. */
  readonly notBefore: number;
}

interface CreationData {
  readonly collection: string;
}

const answers = new Map<string, Created>();
const listeners = new Set<() => void>();
let version = 0;

/** The records that jobs of this page created, by their items; with what is shown once, so they are never stored. */
export const createdRecords = (): ReadonlyMap<string, Created> => answers;
/** Changes with each of them. */
export const createdVersion = (): number => version;
export function subscribeCreated(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function noteCreated(item: string, record: Created): void {
  answers.set(item, record);
  version += 1;
  for (const listener of listeners) listener();
}

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
      before: new Set([...answers.values()].map(({ uid }) => uid)),
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
        return `Created ${record.uid}`;
      } catch (error) {
        if (keepsIdempotencyKeys() || !mayHaveWorked(error)) throw error;
        const record = await find(item).catch(() => undefined);
        if (!record) throw error instanceof ApiError ? error.withOutcome("unknown") : error;
        noteCreated(item.uid, record);
        return `Created ${record.uid}. ${LOST}`;
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

/** The plan of a job that creates records of one kind. */
export const creationPlan = (collection: string, nouns: Pick<JobWords, "one" | "many">): JobPlan => ({
  action: "create",
  data: { collection } satisfies CreationData,
  words: { doing: "Creating", done: "Created", ...nouns },
});
