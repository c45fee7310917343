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

/**
 * Deletes a record. One that is gone counts as deleted (contract C12), so that a delete may be sent again: a uid is
 * never given twice. Rejects with an ApiError that says what is known.
 */
export async function sendDelete({ get, delete: endpoint }: Deletable, uid: string): Promise<void> {
  try {
    await call(endpoint, { path: { uid } });
  } catch (error) {
    if (isGone(error, uid, false)) return;
    if (!(error instanceof ApiError && error.doubt)) throw error;
    const gone = get
      ? await look(error.doubt, (signal) => isMissing(get, uid, signal), Boolean).catch(() => undefined)
      : undefined;
    if (gone) return;
    throw gone === undefined
      ? error.retold(`${error.message} ${SAFE}`, "unknown")
      : error.retold(error.message, "none");
  }
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
