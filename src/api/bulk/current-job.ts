import type { LedgerPlan } from "./storage";
import type { Ledger } from "./types";

/** In this tab's storage: what is kept of the ledger. */
export const LEDGER_KEY = "pc.ledger";

/** The one ledger of this tab, and what it is about. */
export interface OpenLedger {
  readonly ledger: Ledger;
  readonly plan: LedgerPlan;
  /** Found in the storage, where an earlier page had left it. */
  readonly restored: boolean;
  /** Another one for each. */
  readonly turn: number;
}

let open: OpenLedger | undefined;
let turns = 0;
const listeners = new Set<() => void>();

export const openLedger = (): OpenLedger | undefined => open;

export function putLedger(next: Omit<OpenLedger, "turn"> | undefined): void {
  turns += 1;
  open = next && { ...next, turn: turns };
  for (const listener of listeners) listener();
}

export function subscribeLedger(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether there is a ledger to show: an open one, or one from before this page was loaded. */
export function isLedgerThere(): boolean {
  try {
    return open !== undefined || sessionStorage.getItem(LEDGER_KEY) !== null;
  } catch {
    return false;
  }
}
