import { parentOf } from "~/contract/aip";
import type { Endpoint } from "~/contract/endpoint";

import { call } from "./client";
import { ApiError } from "./errors";
import { look } from "./look";

export interface Deletable {
  readonly get?: Endpoint<object, undefined, unknown>;
  readonly delete: Endpoint<object, undefined, undefined>;
}

const SAFE = "Deleting it again is safe.";

/** `gone`: somebody else had deleted it before. */
export type Deleted = "deleted" | "gone";

/**
 * Deletes a record. One that is gone counts as deleted (contract C12), so that a delete may be sent again: a uid is
 * never given twice. Rejects with an ApiError that says what is known.
 */
export async function sendDelete(resource: Deletable, uid: string): Promise<Deleted> {
  try {
    await call(resource.delete, { path: { uid } });
    return "deleted";
  } catch (error) {
    if (isGone(error, uid, false)) return "gone";
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
  return get && look(doubt, (signal) => isMissing(get, uid, signal), Boolean);
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

/** An organization takes the caller's own bindings with it: after that its uid is refused rather than not found. */
const isGone = (error: unknown, uid: string, afterDelete: boolean): boolean =>
  error instanceof ApiError &&
  error.kind === "refused" &&
  (error.code === "NOT_FOUND" || (afterDelete && error.code === "PERMISSION_DENIED" && parentOf(uid) === ""));
