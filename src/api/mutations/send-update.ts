import type { Endpoint } from "~/contract/endpoint";

import { call } from "../client/client";
import { ApiError } from "../client/errors";
import { pollOutcome } from "./poll-outcome";
import { isUntold, sameAt } from "../client/same-value";

export interface Updatable<T, I> {
  readonly get: Endpoint<object, undefined, T>;
  readonly update: Endpoint<{ updateMask?: string | undefined }, Partial<I>, T>;
}

interface Kept {
  readonly uid: string;
  readonly updateTime?: string | undefined;
}

export interface Update<T, I> {
  readonly uid: string;
  /** Masked fields and nothing else; one that is missing here is cleared. */
  readonly body: Partial<I>;
  /** camelCase paths. */
  readonly mask: readonly string[];
  /** The record as the person knows it: what somebody else changed meanwhile is not overwritten unseen. */
  readonly opened: T;
}

/** What a form knows of earlier attempts: the record as it was told of last. */
export type Told<T> = { current: T | undefined };

const CHANGED =
  "Somebody else changed this meanwhile. What you entered is still here; saving it again replaces theirs.";
const UNCLEAR =
  "This was changed meanwhile, and it cannot be told by whom: the service does not return what you entered.";
const NOT_KNOWN = "It is not known whether this was saved. Saving it again looks first.";

/** Changes the masked fields of a record. Rejects with an ApiError that says what is known. */
export async function sendUpdate<T extends Kept, I>(
  { get, update }: Updatable<T, I>,
  { uid, body, mask, opened }: Update<T, I>,
  told: Told<T>,
): Promise<T> {
  const read = (signal?: AbortSignal): Promise<T> => call(get, { path: { uid }, signal });
  // An empty mask would mean every field of the body (contract 0.8): nothing to change is a read.
  if (mask.length === 0) return read();

  const base = told.current?.uid === uid ? told.current : opened;
  const before = (await readFirst(read)) ?? base;
  if (sameAt(before, body, mask)) return before;
  if (!sameAt(before, base, mask)) throw changed(before, CHANGED);
  try {
    return await call(update, { path: { uid }, query: { updateMask: mask.join(",") }, body });
  } catch (error) {
    if (!(error instanceof ApiError && error.doubt)) throw error;
    told.current = before;
    const now = await pollOutcome(error.doubt, read, (record) => sameAt(record, body, mask));
    if (!now) throw error.retold(`${error.message} ${NOT_KNOWN}`, "unknown");
    if (sameAt(now, body, mask)) return now;
    if (!isSame(before, now, mask)) {
      const untold = isUntold(body, [before, now], mask);
      throw changed(now, untold ? UNCLEAR : CHANGED);
    }
    throw error.retold(`${error.message} Nothing was saved.`, "none");
  }

  function changed(current: T, message: string): ApiError {
    told.current = current;
    return new ApiError("refused", message, { outcome: "changed", current });
  }
}

/** The record before it is changed; undefined where that may not be read, which is for the service to judge. */
async function readFirst<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "PERMISSION_DENIED") return undefined;
    throw error.retold(`${error.message} Nothing was saved.`, "none");
  }
}

/** Whether nobody wrote meanwhile; a service that keeps no time of that is judged by the fields in question. */
const isSame = (before: Kept, now: Kept, mask: readonly string[]): boolean =>
  before.updateTime !== undefined && now.updateTime !== undefined
    ? before.updateTime === now.updateTime
    : sameAt(before, now, mask);
