import { Store } from "~/store";

import type { Created } from "../mutations/unconfirmed-create";
import type { JobTarget } from "./bulk-job";
import type { JobPlan, JobWords } from "./storage";

/** A record to create. `uid` names the item alone: the record has none yet. */
export interface RecordToCreate extends JobTarget {
  /** uid of the group. */
  readonly parent: string;
  readonly body: object;
  /** Repeats of the request have the same key. */
  readonly key: string;
  /** No record that it creates is older, in ms by the service's clock. */
  readonly notBefore: number;
}

export interface CreationData {
  readonly collection: string;
}

const answers = new Map<string, Created>();
const version = new Store(() => 0);

/** The records that jobs of this page created, by their items; with what is shown once, so they are never stored. */
export const createdRecords = (): ReadonlyMap<string, Created> => answers;
/** Changes with each of them. */
export const createdVersion = version.get;
export const subscribeCreated = version.subscribe;

export function noteCreated(item: string, record: Created): void {
  answers.set(item, record);
  version.set(version.get() + 1);
}

/** The plan of a job that creates records of one kind. */
export const creationPlan = (collection: string, nouns: Pick<JobWords, "one" | "many">): JobPlan => ({
  action: "create",
  data: { collection } satisfies CreationData,
  words: { doing: "Creating", done: "Created", ...nouns },
});
