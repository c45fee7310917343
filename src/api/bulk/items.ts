import { ApiError } from "../client/errors";

/**
 * What has become of one item.
 * - `queued`: not sent. - `sending`: on its way. - `waiting`: the service asked to come back later.
 * - `checking`: it was on its way when the page was left; whether it happened is being found out.
 * - `done`. - `gone`: somebody else had done it before. - `refused`: the service said no. - `failed`: it did not happen.
 * - `unknown`: nobody can tell. - `unsent`: cancelled before it was sent.
 */
export type ItemState =
  | "queued"
  | "sending"
  | "waiting"
  | "checking"
  | "done"
  | "gone"
  | "refused"
  | "failed"
  | "unknown"
  | "unsent";

export interface LedgerItem {
  readonly uid: string;
  readonly name: string;
  readonly state: ItemState;
  /** Why, in the service's words. */
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
}

export type Counts = Readonly<Record<ItemState, number>>;

const STATES: readonly ItemState[] = [
  "queued",
  "sending",
  "waiting",
  "checking",
  "done",
  "gone",
  "refused",
  "failed",
  "unknown",
  "unsent",
];

export function countStates(items: readonly LedgerItem[]): Counts {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<ItemState, number>;
  for (const { state } of items) counts[state] += 1;
  return counts;
}

/** Whether something is still to happen to an item. */
export const isOpen = (state: ItemState): boolean =>
  state === "queued" || state === "sending" || state === "waiting" || state === "checking";

/** Whether an item is as it should be. */
export const isDone = (state: ItemState): boolean => state === "done" || state === "gone";

/** Whether an item is sent again by "Retry failed". */
export const hasFailed = (state: ItemState): boolean =>
  state === "refused" || state === "failed" || state === "unknown";

/** The outcome of an item that was not done. */
export function outcomeOf(error: unknown): Pick<LedgerItem, "state" | "reason" | "requestId"> {
  if (!(error instanceof ApiError)) return { state: "failed", reason: String(error) };
  const { kind, outcome, passing, requestId } = error;
  const refused = kind === "refused" && !passing;
  const state = outcome === "unknown" ? "unknown" : refused ? "refused" : "failed";
  return { state, reason: reasonOf(error), requestId };
}

/** What the service said, with what its message leaves out of the details. */
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

/** Tries of one item that the service asks to wait with: when it says for how long, and when it does not. */
const TRIES = { told: 20, guessed: 5 };
const LONGEST = 30_000;

/** Milliseconds after which a write that was put off is sent again; undefined: it was not put off, or too often. */
export function putOff(error: unknown, tries: number, now: number): number | undefined {
  if (!(error instanceof ApiError) || (error.http !== 429 && error.http !== 503)) return undefined;
  // What may have happened is not sent again by itself.
  if (error.outcome === "unknown") return undefined;
  if (error.retryAt === undefined)
    return tries < TRIES.guessed ? Math.min(1000 * 2 ** tries, LONGEST) : undefined;
  return tries < TRIES.told ? Math.max(0, error.retryAt - now) : undefined;
}

/** Why nothing else is worth sending now: the session is over, or the service is out of reach. */
export function obstacleOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.kind === "unreachable" || error.code === "UNAUTHENTICATED" ? error.message : undefined;
}
