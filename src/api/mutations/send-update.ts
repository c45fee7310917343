import { ApiError } from "platform-client/errors";
import type { Endpoint } from "platform-contract/endpoint";

import { call } from "../client/client";
import { isNotReturned, sameAt } from "../client/same-value";
import { isUncertain, pollOutcome } from "./poll-outcome";

export interface Updatable<T, I> {
  readonly get: Endpoint<object, undefined, T>;
  readonly update: Endpoint<{ updateMask?: string | undefined }, Partial<I>, T>;
}

interface Versioned {
  readonly uid: string;
  readonly updateTime?: string | undefined;
}

export interface Update<T, I> {
  readonly uid: string;
  /** Only masked fields; a masked field that is missing here is cleared. */
  readonly body: Partial<I>;
  /** camelCase paths. */
  readonly mask: readonly string[];
  /** The record when the form was opened: a change by someone else is reported before it is overwritten. */
  readonly opened: T;
  /** Why, for the audit log. */
  readonly justification?: string | undefined;
}

/** The record as an earlier attempt of the same form last saw it. */
export type LastSeen<T> = { current: T | undefined };

const CHANGED =
  "Someone else changed this. What you entered is still here; saving again overwrites their change.";
const CHANGED_OR_SAVED =
  "This was changed, but we couldn't confirm by whom: the service doesn't return what you entered.";
const UNKNOWN = "We couldn't confirm whether this was saved. Saving again checks first.";

/** Changes the masked fields of a record. Rejects with an ApiError that says what is known. */
export async function sendUpdate<T extends Versioned, I>(
  { get, update }: Updatable<T, I>,
  { uid, body, mask, opened, justification }: Update<T, I>,
  lastSeen: LastSeen<T>,
): Promise<T> {
  const read = (signal?: AbortSignal): Promise<T> => call(get, { path: { uid }, signal });
  // An empty mask would mean every field of the body (AIP-134), so just read.
  if (mask.length === 0) return read();

  const base = lastSeen.current?.uid === uid ? lastSeen.current : opened;
  const before = (await readBefore(read)) ?? base;
  if (sameAt(before, body, mask)) return before;
  if (!sameAt(before, base, mask)) throw changed(before, CHANGED);
  try {
    const query = { updateMask: mask.join(",") };
    return await call(update, { path: { uid }, query, body, justification });
  } catch (error) {
    if (!isUncertain(error)) throw error;
    lastSeen.current = before;
    const now = await pollOutcome(error.outcomeUncertain, read, (record) => sameAt(record, body, mask));
    if (!now) throw error.withOutcome("unknown", `${error.message} ${UNKNOWN}`);
    if (sameAt(now, body, mask)) return now;
    if (isUnchanged(before, now, mask)) throw notSaved(error);
    throw changed(now, isNotReturned(body, [before, now], mask) ? CHANGED_OR_SAVED : CHANGED);
  }

  function changed(current: T, message: string): ApiError {
    lastSeen.current = current;
    return new ApiError("refused", message, { outcome: "changed", current });
  }
}

const notSaved = (error: ApiError): ApiError =>
  error.withOutcome("none", `${error.message} Nothing was saved.`);

/** The record before the update; undefined if the caller cannot read it, and the service decides. */
async function readBefore<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "PERMISSION_DENIED") return undefined;
    throw notSaved(error);
  }
}

/** Compares update times if the service keeps them, else the masked fields. */
const isUnchanged = (before: Versioned, now: Versioned, mask: readonly string[]): boolean =>
  before.updateTime !== undefined && now.updateTime !== undefined
    ? before.updateTime === now.updateTime
    : sameAt(before, now, mask);
