import { externalGroupRoleMappings } from "platform-contract/iam/external-group-role-mappings";
import { groupInvites } from "platform-contract/iam/group-invites";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { tags } from "platform-contract/registry/tags";

import { leastTimeFromNow } from "../client/service-clock";
import type { RecordToCreate } from "./creation-plan";
import type { JobTarget } from "./bulk-job";
import type { JobPlan, JobWords } from "./storage";

/** Kinds of which the fields that a caller sets are everything but ids, times and history. */
export const RECREATABLE = { tags, roleBindings, externalGroupRoleMappings, groupInvites };

/** What a record like a deleted one is created from. */
export interface Again {
  readonly collection: keyof typeof RECREATABLE;
  /** uid of what it was in. */
  readonly parent: string;
  readonly body: object;
}

/** True if what the audit log kept of a record is enough: of an invite, it lacks how long it is to last. */
export const isRecreatable = (collection: string): collection is Again["collection"] =>
  collection in RECREATABLE && collection !== groupInvites.collection;

/** `Again` of a record, or of the fields that the audit log kept of it. */
export const againOf = (
  collection: Again["collection"],
  parent: string,
  fields: Readonly<Record<string, unknown>>,
): Again => ({
  collection,
  parent,
  body: Object.fromEntries(
    Object.keys(RECREATABLE[collection].settable).flatMap((key) =>
      fields[key] === undefined ? [] : [[key, fields[key]]],
    ),
  ),
});

/** `uid` is that of the deleted record. */
export type RecordToRecreate = RecordToCreate & Pick<Again, "collection">;

/** The record keeps what a report says of it besides its name. */
export const recordToRecreate = (
  { uid, name, facts }: Pick<JobTarget, "uid" | "name" | "facts">,
  again: Again,
): RecordToRecreate => ({
  uid,
  name,
  ...(facts && { facts }),
  ...again,
  key: crypto.randomUUID(),
  notBefore: leastTimeFromNow(),
});

/** The name of its action. */
export const RECREATE = "recreate";

/** The plan of a job that creates deleted records again: of the same person, if their access was removed. */
export const recreationPlan = (about: Omit<JobWords, "doing" | "done">): JobPlan => ({
  action: RECREATE,
  data: {},
  words: { doing: "Restoring", done: "Restored", ...about },
});
