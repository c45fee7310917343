import { ApiError, type Uncertainty } from "platform-client/errors";
import { parentOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";

import { call } from "../client/client";
import { isUncertain, pollOutcome } from "./poll-outcome";

export interface Deletable {
  readonly get?: Endpoint<object, undefined, unknown>;
  readonly delete: Endpoint<object, undefined, undefined>;
}

const SAFE_TO_REPEAT = "It's safe to delete it again.";
const NOT_VISIBLE = "You can no longer see it: it was deleted, or your access ended.";

interface DeleteOptions {
  readonly endsAccess?: boolean | undefined;
  /** Why, for the audit log. */
  readonly justification?: string | undefined;
}

/** `gone`: it was already deleted. */
export type Deleted = "deleted" | "gone";

/**
 * Deletes a record. One that is gone counts as deleted: uids are never reused, so a delete can be
 * repeated. `endsAccess`: only the caller has access to the record, and deleting it ends that. Rejects with an ApiError
 * that says what is known.
 */
export async function sendDelete(
  resource: Deletable,
  uid: string,
  { endsAccess = false, justification }: DeleteOptions = {},
): Promise<Deleted> {
  try {
    await call(resource.delete, { path: { uid }, justification });
    return "deleted";
  } catch (error) {
    if (isNotFound(error)) return "gone";
    if (isDenied(error)) return afterDenial(resource, uid, { error, endsAccess });
    if (!isUncertain(error)) throw error;
    const deleted = await wasDeleted(resource, uid, error.outcomeUncertain).catch(() => undefined);
    if (deleted) return "deleted";
    throw deleted === undefined
      ? error.withOutcome("unknown", `${error.message} ${SAFE_TO_REPEAT}`)
      : error.withOutcome("none");
  }
}

/**
 * Whether a delete without a response worked. Undefined if that cannot be determined now; rejects with an ApiError if
 * the read was refused.
 */
export async function wasDeleted(
  { get }: Deletable,
  uid: string,
  uncertainty: Uncertainty,
): Promise<boolean | undefined> {
  if (!get) return undefined;
  const isGone = async (signal: AbortSignal): Promise<boolean> => {
    try {
      await call(get, { path: { uid }, signal });
      return false;
    } catch (error) {
      // Deleting an organization deletes the caller's bindings too: after that its uid is denied rather than not found.
      if (isNotFound(error) || (isDenied(error) && parentOf(uid) === "")) return true;
      throw error;
    }
  };
  return pollOutcome(uncertainty, isGone, Boolean);
}

interface Denial {
  readonly error: ApiError;
  readonly endsAccess: boolean;
}

/**
 * A browser repeats a request on a dropped connection. If the first delete ended the caller's access, the second is
 * denied; the record's visibility distinguishes that from a real denial. Rejects unless the record is gone.
 */
async function afterDenial({ get }: Deletable, uid: string, { error, endsAccess }: Denial): Promise<Deleted> {
  if (!get) throw error;
  const read = (signal: AbortSignal) => call(get, { path: { uid }, signal });
  const refusal: unknown = await pollOutcome("processed", read, () => true).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (isNotFound(refusal) || (isDenied(refusal) && endsAccess)) return "deleted";
  throw isDenied(refusal) ? error.withOutcome("unknown", `${error.message} ${NOT_VISIBLE}`) : error;
}

const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.kind === "refused";

const isNotFound = (error: unknown): error is ApiError => isRefused(error) && error.code === "NOT_FOUND";

const isDenied = (error: unknown): error is ApiError =>
  isRefused(error) && error.code === "PERMISSION_DENIED";
