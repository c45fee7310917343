import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { call } from "../client/client";
import { callOnce } from "./call-once";
import { sameValue } from "platform-contract/values";
import { isUncertain, pollOutcome } from "./poll-outcome";

/** A resource whose create replaces an existing record of the same name. */
export interface Replaceable<T, I, F = unknown> {
  readonly list: Endpoint<ListQuery & F, undefined, ListAnswer<T>>;
  readonly create: Endpoint<object, I, T>;
}

export interface Replacement<I, F = unknown> {
  readonly parent: string;
  readonly body: I;
  /** A filter that finds the record with that name under the parent. */
  readonly find: F;
}

const UNKNOWN = "We couldn't confirm whether this was saved. It's safe to save it again.";
const MISSING = "Nothing was saved.";
const DIFFERENT = "Not saved, or changed by someone else since. Check the current value.";

/** The service omits what is not set, and also a flag that is false. */
const present = (value: unknown): unknown => (value === false ? undefined : value);

/**
 * Creates or replaces a record by name. Repeating the request yields the same record, so it is always safe; without a
 * response, checks whether the record has the values that were sent. Rejects with an ApiError that says what is known.
 */
export async function sendReplace<T extends object, I extends object, F>(
  { list, create }: Replaceable<T, I, F>,
  { parent, body, find }: Replacement<I, F>,
): Promise<T> {
  try {
    return await callOnce(create, { path: { parent }, body }, crypto.randomUUID());
  } catch (error) {
    if (!isUncertain(error)) throw error;
    const query = { ...find, "uidp.children_of": parent, page_size: 1 };
    const hasValues = (record: T | undefined): record is T =>
      record !== undefined &&
      Object.entries(body).every(([key, value]) => sameValue(present(value), present(Object(record)[key])));
    const read = async (signal: AbortSignal) => ({ record: (await call(list, { query, signal })).items[0] });
    const answer = await pollOutcome(error.outcomeUncertain, read, ({ record }) => hasValues(record)).catch(
      () => undefined,
    );
    if (!answer) throw error.withOutcome("unknown", `${error.message} ${UNKNOWN}`.trim());
    const { record } = answer;
    if (hasValues(record)) return record;
    throw error.withOutcome("none", `${error.message} ${record === undefined ? MISSING : DIFFERENT}`);
  }
}
