import type { QueryClient } from "@tanstack/react-query";

import { groupInvites } from "platform-contract/iam/group-invites";
import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";

import { keepsIdempotencyKeys } from "../client/client";
import { ApiError } from "../client/errors";
import { callOnce } from "../mutations/call-once";
import { invalidateDependents } from "../mutations/patch";
import { mayHaveWorked } from "../mutations/poll-outcome";
import type { Creatable } from "../mutations/send-create";
import { findCreated, type Created } from "../mutations/unconfirmed-create";
import type { BulkWork } from "./bulk-job";
import { createdRecords, noteCreated, type CreationData, type RecordToCreate } from "./creation-plan";

type Creation = Creatable<Created, unknown> & { readonly affects: readonly string[] };

/** Kinds of which many can be created together. */
const CREATABLE = { identities, groupInvites, groups } as unknown as Readonly<Record<string, Creation>>;

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
