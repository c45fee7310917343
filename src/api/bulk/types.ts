import type { Counts, LedgerItem } from "./items";
import type { Deletable } from "../mutations/send-delete";

export interface DeletableCollection extends Deletable {
  readonly collection: string;
  readonly affects: readonly string[];
}

/** What is done with each item, and who is told. */
export interface LedgerWork {
  /** Writes. `gone`: it had happened before. Rejects with an ApiError that says what is known. */
  send(uid: string): Promise<"done" | "gone">;
  /** Whether a write that nobody answered has happened; undefined: it cannot be found out. */
  wasDone(uid: string): Promise<boolean | undefined>;
  /** Items that were done since this was called last. */
  onDone(uids: readonly string[]): void;
  /** Nothing is on its way any more. */
  onRest(): void;
}

/** Where a ledger is kept while its page is away. */
export interface Keeper {
  /** Writes items down, before they are sent and after. False, from then on: they cannot be kept, and nothing is. */
  keep(items: readonly LedgerItem[], indexes: readonly number[]): boolean;
  forget(): void;
}

export interface LedgerFacts {
  /** `over`: nothing is left to do. `elsewhere`: another tab has it, and this one may only look. */
  readonly run: "running" | "paused" | "over" | "elsewhere";
  readonly items: readonly LedgerItem[];
  readonly counts: Counts;
  /** Until when nothing is sent because the service asks for that, in ms. */
  readonly waitUntil: number;
  /** Why it was paused, when nobody did. */
  readonly trouble: string | undefined;
  /** Whether a reload would find it again. */
  readonly kept: boolean;
}

export interface Ledger {
  get(): LedgerFacts;
  /** Told at most ten times a second, and at once when it begins, rests or is paused. */
  subscribe(listener: () => void): () => void;
  resume(): void;
  /** What is on its way is let arrive. */
  pause(): void;
  /** What was not sent stays not sent. */
  cancel(): void;
  /** Sends again what was refused or failed, and nothing else. */
  retryFailed(): void;
  /** Forgets it; only what rests. */
  close(): void;
}
