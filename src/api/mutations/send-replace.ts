import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

import { call } from "../client/client";
import { ApiError } from "../client/errors";
import { pollOutcome } from "./poll-outcome";
import { sameValue } from "../client/same-value";

/** A resource whose create puts a record under its name, whether or not there is one (contract 1.11). */
export interface Replaceable<T, I, F = unknown> {
  readonly list: Endpoint<ListQuery & F, undefined, ListAnswer<T>>;
  readonly create: Endpoint<object, I, T>;
}

export interface Replacement<I, F = unknown> {
  readonly parent: string;
  readonly body: I;
  /** Finds the record of that name under the parent, in whichever of the list's kinds it is. */
  readonly find: F;
}

const NOT_KNOWN = "It is not known whether this was saved. Saving it again is safe.";
const NOT_THERE = "Nothing was saved.";
const OTHER = "What is there says something else: nothing was saved, or somebody has changed it since.";

/** The service leaves out what is not set, a flag that is false too. */
const set = (value: unknown): unknown => (value === false ? undefined : value);

/**
 * Puts a record under its name. The same request twice is the same record, so that it may always be sent again; where
 * the answer is lost the console looks whether the record says what was asked for. Rejects with an ApiError that says
 * what is known.
 */
export async function sendReplace<T extends object, I extends object, F>(
  { list, create }: Replaceable<T, I, F>,
  { parent, body, find }: Replacement<I, F>,
): Promise<T> {
  try {
    return await call(create, { path: { parent }, body });
  } catch (error) {
    if (!(error instanceof ApiError && error.doubt)) throw error;
    const query = { ...find, "uidp.children_of": parent, page_size: 1 } as ListQuery & F;
    const says = (record: T | undefined): boolean =>
      record !== undefined &&
      Object.entries(body).every(([key, value]) =>
        sameValue(set(value), set((record as Readonly<Record<string, unknown>>)[key])),
      );
    const read = async (signal: AbortSignal) => ({ record: (await call(list, { query, signal })).items[0] });
    const answer = await pollOutcome(error.doubt, read, ({ record }) => says(record)).catch(() => undefined);
    if (!answer) throw error.retold(`${error.message} ${NOT_KNOWN}`.trim(), "unknown");
    const { record } = answer;
    if (record !== undefined && says(record)) return record;
    throw error.retold(`${error.message} ${record === undefined ? NOT_THERE : OTHER}`, "none");
  }
}
