import { ApiError } from "platform-client/errors";

/**
 * What happened to one item of a job.
 * - `queued`: not sent yet, or to be sent again. - `sending`: no response yet.
 * - `done`. - `failed`: it did not happen. - `unknown`: it may have happened. - `canceled`: it was never sent.
 */
export type ItemState = "queued" | "sending" | "done" | "failed" | "unknown" | "canceled";

export interface BulkOutcome {
  readonly state: ItemState;
  /** Why, in the service's words. */
  readonly reason?: string | undefined;
  /** uid of the record that was created for it. */
  readonly newUid?: string | undefined;
  readonly requestId?: string | undefined;
  /** When it was settled, as on the wire. */
  readonly at?: string | undefined;
}

export type Counts = Readonly<Record<ItemState, number>>;

export function countStates(items: readonly BulkOutcome[]): Counts {
  const counts = { queued: 0, sending: 0, done: 0, failed: 0, unknown: 0, canceled: 0 };
  for (const { state } of items) counts[state] += 1;
  return counts;
}

/** True if an item is not settled yet. */
export const isOpen = (state: ItemState): boolean => state === "queued" || state === "sending";

/** True if "Retry failed" sends an item again. */
export const hasFailed = (state: ItemState): boolean => state === "failed" || state === "unknown";

/** The outcome of an item whose request failed. */
export function outcomeOf(error: unknown): BulkOutcome {
  if (!(error instanceof ApiError)) return { state: "failed", reason: String(error) };
  const state = error.outcome === "unknown" ? "unknown" : "failed";
  return { state, reason: reasonOf(error), requestId: error.requestId };
}

/** The service's message, with the details that it omits. */
function reasonOf({ message, preconditions, violations, missingCapability }: ApiError): string {
  const details: readonly (readonly [fact: string, sentence: string])[] = [
    ...preconditions.map(({ description }) => [description, description] as const),
    ...violations.map(({ field, description }) => [description, `${field}: ${description}`] as const),
    ...(missingCapability ? [[missingCapability, `Needs ${missingCapability}.`] as const] : []),
  ];
  return details.reduce(
    (text, [fact, sentence]) => (text.includes(fact) ? text : `${text} ${sentence}`),
    message,
  );
}

/** Maximum retries of one item: if the service says how long to wait, and if it does not. */
const RETRIES = { announced: 20, unannounced: 5 };
const MAX_DELAY_MS = 30_000;

/** Milliseconds until a rejected request (429, 503) is retried; undefined if it is not retried. */
export function retryDelay(error: unknown, retries: number, now: number): number | undefined {
  if (!(error instanceof ApiError) || (error.http !== 429 && error.http !== 503)) return undefined;
  // Never repeat a request that may have worked without checking first.
  if (error.outcome === "unknown") return undefined;
  if (error.retryAt === undefined)
    return retries < RETRIES.unannounced ? Math.min(1000 * 2 ** retries, MAX_DELAY_MS) : undefined;
  return retries < RETRIES.announced ? Math.max(0, error.retryAt - now) : undefined;
}

/** Why the remaining items would fail too: the session is over, or the service is unreachable. */
export function jobStopReason(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.kind === "unreachable" || error.code === "UNAUTHENTICATED" ? error.message : undefined;
}
