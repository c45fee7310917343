import type { QueryClient } from "@tanstack/react-query";

import { ApiError, type Uncertainty } from "platform-client/errors";
import type { Behavior } from "platform-contract/behavior";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { keepsIdempotencyKeys } from "../client/client";
import { leastTimeFromNow } from "../client/service-clock";
import { callOnce } from "./call-once";
import { isUncertain, mayHaveWorked, pollOutcome } from "./poll-outcome";
import {
  cachedUids,
  findAllCreated,
  findCreated,
  forgetUnconfirmed,
  isResend,
  rememberUnconfirmed,
  unconfirmedCreates,
  type Created,
  type UnconfirmedCreate,
} from "./unconfirmed-create";

export interface Creatable<T, I> {
  readonly collection: string;
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<T>>;
  readonly create: Endpoint<object, I, T>;
  readonly behavior?: Pick<Behavior, "inputOnly">;
}

export interface Creation<I> {
  /** "" for a root group. */
  readonly parent: string;
  readonly body: I;
  readonly query?: object | undefined;
  /** Why, for the audit log. */
  readonly justification?: string | undefined;
}

const UNKNOWN = "We couldn't confirm whether this was created. Trying again checks first.";
const OTHER_VALUES =
  "An earlier attempt with other values succeeded: see the list. Nothing else was created.";

/**
 * Creates a record once, however often it is sent: if an earlier request may have worked, checks before sending another
 * one, and returns what it finds. `own` is the unconfirmed create of one form, whose values can change before it is
 * sent again. Rejects with an ApiError that says what is known. A service that keeps idempotency keys makes one record of
 * all of them; elsewhere `onDuplicate` gets a second one, which the browser made by sending a request again by itself.
 */
export async function sendCreate<T extends Created, I>(
  client: QueryClient,
  resource: Creatable<T, I>,
  { parent, body, query, justification }: Creation<I>,
  own: { current: UnconfirmedCreate | undefined },
  onDuplicate?: (duplicate: T) => void,
): Promise<T> {
  const { collection, list, create } = resource;
  const confirmed = (attempt: UnconfirmedCreate): void => {
    forgetUnconfirmed(client, collection, attempt);
    own.current = undefined;
  };
  const confirm = (attempt: UnconfirmedCreate, record: T): T => {
    confirmed(attempt);
    return record;
  };
  const same = unconfirmedCreates(client, collection).find((each) =>
    isResend(each, { parent, body, justification }),
  );
  const earlier = same ?? own.current;
  if (earlier && !(same && keepsIdempotencyKeys())) {
    const record = await find(list, earlier, "processed", new ApiError("unreachable", ""));
    if (record) {
      confirm(earlier, record);
      if (same) return record;
      throw new ApiError("refused", OTHER_VALUES, { outcome: "none" });
    }
  }
  // A resend keeps the first time and uids, or it would mistake the first request's record for someone else's.
  const attempt = same ?? {
    key: crypto.randomUUID(),
    parent,
    body,
    query,
    justification,
    notBefore: leastTimeFromNow(),
    before: cachedUids(client, collection),
    unanswered: resource.behavior?.inputOnly ?? [],
  };
  try {
    const record = await callOnce(
      create,
      { path: { parent }, query: attempt.query, body, justification },
      attempt.key,
    );
    if (onDuplicate && !keepsIdempotencyKeys())
      void findTwin(list, attempt, record).then(onDuplicate, () => undefined);
    return confirm(attempt, record);
  } catch (error) {
    if (keepsIdempotencyKeys()) {
      if (error instanceof ApiError && error.outcome === "unknown") {
        if (!same) rememberUnconfirmed(client, collection, attempt);
        own.current = attempt;
      } else confirmed(attempt);
      throw error;
    }
    // A browser repeats a request on a dropped connection, and the page gets the second response.
    if (error instanceof ApiError && error.code === "ALREADY_EXISTS") {
      const record = await find(list, attempt, "processed", error).catch(() => undefined);
      if (record) return confirm(attempt, record);
      throw error;
    }
    if (!mayHaveWorked(error)) throw error;
    if (!same) rememberUnconfirmed(client, collection, attempt);
    own.current = attempt;
    // The service may have refused what a browser sent again by itself, after the first request had worked.
    const record = await find(list, attempt, error.outcomeUncertain ?? "processed", error);
    if (record) return confirm(attempt, record);
    if (!isUncertain(error)) throw error;
    throw error.withOutcome("none", `${error.message} Nothing was created.`);
  }
}

/** Finds another record that was created with the same values since the press. Rejects if there is none. */
async function findTwin<T extends Created>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  attempt: UnconfirmedCreate,
  { uid }: T,
): Promise<T> {
  const duplicate = (await findAllCreated(list, attempt)).find((record) => record.uid !== uid);
  if (!duplicate) throw new Error("There is one record.");
  return duplicate;
}

/** Finds the record of an unconfirmed create, if it worked. Rejects with `error`, outcome `unknown`, if unreadable. */
async function find<T extends Created>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  attempt: UnconfirmedCreate,
  uncertainty: Uncertainty,
  error: ApiError,
): Promise<T | undefined> {
  const read = async (signal: AbortSignal) => ({ record: await findCreated(list, attempt, signal) });
  const answer = await pollOutcome(uncertainty, read, ({ record }) => record !== undefined).catch(
    () => undefined,
  );
  if (!answer) throw error.withOutcome("unknown", `${error.message} ${UNKNOWN}`.trim());
  return answer.record;
}
