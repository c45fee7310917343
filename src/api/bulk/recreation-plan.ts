import { roleBindings } from "platform-contract/iam/role-bindings";
import { tags } from "platform-contract/registry/tags";

import { leastTimeFromNow } from "../client/service-clock";
import type { RecordToCreate } from "./creation-plan";
import type { JobPlan, JobWords } from "./storage";

/** Kinds of which the fields that a caller sets are everything but ids, times and history. */
export const RECREATABLE = { tags, roleBindings };

/** What a record like a deleted one is created from. */
export interface Again {
  readonly collection: keyof typeof RECREATABLE;
  /** uid of what it was in. */
  readonly parent: string;
  readonly body: object;
}

export const isRecreatable = (collection: string): collection is Again["collection"] =>
  collection in RECREATABLE;

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

export const recordToRecreate = (
  { uid, name }: { readonly uid: string; readonly name: string },
  again: Again,
): RecordToRecreate => ({ uid, name, ...again, key: crypto.randomUUID(), notBefore: leastTimeFromNow() });

/** The plan of a job that creates deleted records again. */
export const recreationPlan = (nouns: Pick<JobWords, "one" | "many">): JobPlan => ({
  action: "recreate",
  data: {},
  words: { doing: "Restoring", done: "Restored", ...nouns },
});
