import { parentOf } from "~/contract/aip";
import type { Endpoint } from "~/contract/endpoint";

import { call } from "../client/client";
import { ApiError } from "../client/errors";
import { pollOutcome } from "./poll-outcome";

export interface Deletable {
  readonly get?: Endpoint<object, undefined, unknown>;
  readonly delete: Endpoint<object, undefined, undefined>;
}

const SAFE = "Deleting it again is safe.";
const NOT_SEEN = "You can no longer see it: it was deleted, or your access has ended.";

/** `gone`: somebody else had deleted it before. */
export type Deleted = "deleted" | "gone";

/**
 * Deletes a record. One that is gone counts as deleted (contract C12), so that a delete may be sent again: a uid is
 * never given twice. Rejects with an ApiError that says what is known. `endsAccess`: nobody but the caller has access to the
 * record, and its deletion ends that.
 */
export async function sendDelete(
  resource: Deletable,
  uid: string,
  { endsAccess = false } = {},
): Promise<Deleted> {
  try {
    await call(resource.delete, { path: { uid } });
    return "deleted";
  } catch (error) {
    if (isGone(error, uid, false)) return "gone";
    if (isDenied(error)) return afterDenial(resource, uid, { error, endsAccess });
    if (!(error instanceof ApiError && error.doubt)) throw error;
    const gone = await wasDeleted(resource, uid, error.doubt).catch(() => undefined);
    if (gone) return "deleted";
    throw gone === undefined
      ? error.retold(`${error.message} ${SAFE}`, "unknown")
      : error.retold(error.message, "none");
  }
}

/**
 * Whether a delete that nobody answered has happened; `late`: it may still be on its way. Undefined when that cannot be
 * found out now; rejects with an ApiError when the look was refused.
 */
export async function wasDeleted(
  { get }: Deletable,
  uid: string,
  doubt: "late" | "done",
): Promise<boolean | undefined> {
  return get && pollOutcome(doubt, (signal) => isMissing(get, uid, signal), Boolean);
}

async function isMissing(
  get: Endpoint<object, undefined, unknown>,
  uid: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await call(get, { path: { uid }, signal });
    return false;
  } catch (error) {
    if (isGone(error, uid, true)) return true;
    throw error;
  }
}

interface Denial {
  readonly error: ApiError;
  readonly endsAccess: boolean;
}

/**
 * A browser repeats a request by itself on a dropped connection. Where the first delete ended the caller's access, the page
 * gets a 403 for the second one: whether the record can still be seen tells that from a refusal. Rejects unless it is gone.
 */
async function afterDenial({ get }: Deletable, uid: string, { error, endsAccess }: Denial): Promise<Deleted> {
  if (!get) throw error;
  const read = (signal: AbortSignal) => call(get, { path: { uid }, signal });
  const refusal: unknown = await pollOutcome("done", read, () => true).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (isGone(refusal, uid, false) || (isDenied(refusal) && endsAccess)) return "deleted";
  throw isDenied(refusal) ? error.retold(`${error.message} ${NOT_SEEN}`, "unknown") : error;
}

const isDenied = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.kind === "refused" && error.code === "PERMISSION_DENIED";

/** An organization takes the caller's own bindings with it: after that its uid is refused rather than not found. */
const isGone = (error: unknown, uid: string, afterDelete: boolean): boolean =>
  error instanceof ApiError &&
  error.kind === "refused" &&
  (error.code === "NOT_FOUND" || (afterDelete && isDenied(error) && parentOf(uid) === ""));
