import type { ItemState, LedgerItem } from "./items";
import { LEDGER_KEY } from "./current-job";
import type { DeletableCollection, Keeper } from "./types";

/** What a ledger is about: enough to go on with it on another page, without the screen that began it. */
export interface LedgerPlan {
  /** As far as deleting goes. */
  readonly resource: DeletableCollection;
  /** In words: "identity", "identities". */
  readonly one: string;
  readonly many: string;
}

/** A ledger as it lies in the storage. */
export interface KeptLedger {
  /** Another one for each; the same in a tab that was duplicated. */
  readonly run: string;
  readonly plan: LedgerPlan;
  readonly items: readonly LedgerItem[];
  readonly keeper: Keeper;
}

interface Head {
  readonly run: string;
  /** Issuer and subject of whoever began it; nobody else is shown any of it. */
  readonly owner: string;
  readonly plan: LedgerPlan;
  readonly count: number;
}

type Row = [uid: string, name: string, state: ItemState, reason: string | null, requestId: string | null];

/** Items written together: one change of ten thousand items must not write all of them. */
const CHUNK = 100;

const chunkKey = (chunk: number): string => `${LEDGER_KEY}.${chunk}`;

// What waits was not carried out; what was being looked after may have been.
const keptState = (state: ItemState): ItemState =>
  state === "waiting" ? "queued" : state === "checking" ? "sending" : state;

function writeChunk(storage: Storage, items: readonly LedgerItem[], chunk: number): void {
  const rows = items
    .slice(chunk * CHUNK, (chunk + 1) * CHUNK)
    .map(({ uid, name, state, reason = null, requestId = null }): Row => {
      return [uid, name, keptState(state), reason, requestId];
    });
  storage.setItem(chunkKey(chunk), JSON.stringify(rows));
}

/** Takes whatever ledger there is out of the storage. */
export function forgetLedger(storage: Storage): void {
  storage.removeItem(LEDGER_KEY);
  for (let chunk = 0; storage.getItem(chunkKey(chunk)) !== null; chunk += 1)
    storage.removeItem(chunkKey(chunk));
}

function keeperOf(storage: Storage): Keeper {
  let kept = true;
  return {
    keep(items, indexes) {
      if (!kept) return false;
      try {
        for (const chunk of new Set(indexes.map((index) => Math.floor(index / CHUNK))))
          writeChunk(storage, items, chunk);
      } catch {
        // Full. What is out of date there would be taken for the truth.
        forgetLedger(storage);
        kept = false;
      }
      return kept;
    },
    forget() {
      if (kept) forgetLedger(storage);
      kept = false;
    },
  };
}

/** Writes a new ledger to this tab's storage, in place of any other. */
export function keepLedger(
  owner: string,
  plan: LedgerPlan,
  items: readonly LedgerItem[],
  storage: Storage = sessionStorage,
): KeptLedger {
  const run = crypto.randomUUID();
  const made = { run, plan, items };
  try {
    forgetLedger(storage);
    for (let chunk = 0; chunk * CHUNK < items.length; chunk += 1) writeChunk(storage, items, chunk);
    const head = { run, owner, plan, count: items.length } satisfies Head;
    storage.setItem(LEDGER_KEY, JSON.stringify(head));
    return { ...made, keeper: keeperOf(storage) };
  } catch {
    forgetLedger(storage);
    return { ...made, keeper: { keep: () => false, forget: () => undefined } };
  }
}

/** The ledger that this tab's storage has for `owner`; anybody else's is taken out of it. */
export function findLedger(owner: string, storage: Storage = sessionStorage): KeptLedger | undefined {
  try {
    const head = JSON.parse(storage.getItem(LEDGER_KEY) ?? "null") as Head | null;
    if (head?.owner === owner) {
      const chunks = Array.from({ length: Math.ceil(head.count / CHUNK) }, (_, chunk) => chunk);
      const rows = chunks.flatMap((chunk) => JSON.parse(storage.getItem(chunkKey(chunk)) ?? "null") as Row[]);
      const items = rows.map(([uid, name, state, reason, requestId]) => ({
        uid,
        name,
        state,
        ...(reason !== null && { reason }),
        ...(requestId !== null && { requestId }),
      }));
      return { run: head.run, plan: head.plan, items, keeper: keeperOf(storage) };
    }
  } catch {
    // Not ours, or broken.
  }
  try {
    forgetLedger(storage);
  } catch {
    // Storage may be forbidden: then there is none.
  }
  return undefined;
}
