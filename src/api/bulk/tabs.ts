import { countStates, isDone, type LedgerItem } from "./items";
import type { Keeper, Ledger, LedgerFacts } from "./types";

/** What tabs say to one another about a ledger; only pages of the same origin can hear or say it. */
type Message =
  | { readonly kind: "ask" }
  | { readonly kind: "items"; readonly items: readonly (readonly [index: number, item: LedgerItem])[] }
  | { readonly kind: "closed" };

/** What is asked of a browser; tests bring their own. */
export interface LedgerTabs {
  readonly locks: Pick<LockManager, "request">;
  readonly openChannel: (
    name: string,
  ) => Pick<BroadcastChannel, "postMessage" | "addEventListener" | "close">;
}

// Both are there: a console that was not read over https does not begin (`config.ts`).
export const browserTabs = (): LedgerTabs => ({
  locks: navigator.locks,
  openChannel: (name) => new BroadcastChannel(name),
});

const nameOf = (run: string): string => `pc.ledger ${run}`;

/** Least time between two changes that are told, in ms. */
const PACE = 100;

/**
 * Makes this tab the one that may send what is in a ledger, as soon as no other tab is: who duplicates a tab has its
 * ledger twice. The browser takes it from a tab that is closed, left or crashed. Returns how to give it up.
 */
export function claimLedger(run: string, { locks }: LedgerTabs, onOwned: () => void): () => void {
  const given = new AbortController();
  const { signal } = given;
  const hold = () =>
    new Promise<void>((release) => {
      signal.addEventListener("abort", () => release());
      onOwned();
    });
  // Rejected when it is given up before its turn, and only then.
  locks.request(nameOf(run), { signal }, hold).catch(() => undefined);
  return () => given.abort();
}

/** Tells those who follow a ledger what its owner writes down, before it is sent and after, and all of it who asks. */
export function tellTabs(
  run: string,
  given: readonly LedgerItem[],
  keeper: Keeper,
  tabs: LedgerTabs,
): Keeper {
  const channel = tabs.openChannel(nameOf(run));
  const tell = (message: Message): void => channel.postMessage(message);
  let all = given;
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "ask") tell({ kind: "items", items: [...all.entries()] });
  });
  return {
    keep(items, indexes) {
      all = items;
      tell({ kind: "items", items: indexes.map((index) => [index, items[index] as LedgerItem] as const) });
      return keeper.keep(items, indexes);
    },
    forget() {
      tell({ kind: "closed" });
      channel.close();
      keeper.forget();
    },
  };
}

/** A ledger that another tab owns: this one is told what becomes of it, writes that down too, and sends nothing. */
export interface FollowedLedger extends Ledger {
  /** Hears no more of it, and keeps what there is. Returns its items as they are now. */
  leave(): readonly LedgerItem[];
}

interface Following {
  readonly keeper: Keeper;
  readonly tabs: LedgerTabs;
  /** Items that were done since this was called last. */
  readonly onDone: (uids: readonly string[]) => void;
  /** It was closed where it ran. */
  readonly onClosed: () => void;
}

export function followLedger(
  run: string,
  given: readonly LedgerItem[],
  { keeper, tabs, onDone, onClosed }: Following,
): FollowedLedger {
  const items = given.slice();
  const listeners = new Set<() => void>();
  let kept = true;
  let fresh: string[] = [];
  let telling: ReturnType<typeof setTimeout> | undefined;
  const read = (): LedgerFacts => ({
    run: "elsewhere",
    items: items.slice(),
    counts: countStates(items),
    waitUntil: 0,
    trouble: undefined,
    kept,
  });
  let facts = read();
  const tell = (): void => {
    telling = undefined;
    facts = read();
    for (const listener of listeners) listener();
    const uids = fresh;
    fresh = [];
    if (uids.length > 0) onDone(uids);
  };
  const leave = (): readonly LedgerItem[] => {
    clearTimeout(telling);
    channel.close();
    return items;
  };
  const close = (): void => {
    leave();
    keeper.forget();
  };

  const channel = tabs.openChannel(nameOf(run));
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "closed") {
      close();
      onClosed();
    }
    if (data.kind !== "items") return;
    for (const [index, item] of data.items) {
      if (isDone(item.state) && !isDone((items[index] as LedgerItem).state)) fresh.push(item.uid);
      items[index] = item;
    }
    kept =
      keeper.keep(
        items,
        data.items.map(([index]) => index),
      ) && kept;
    telling ??= setTimeout(tell, PACE);
  });
  // What happened between the copy and now.
  channel.postMessage({ kind: "ask" } satisfies Message);

  const nothing = (): void => undefined;
  return {
    get: () => facts,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resume: nothing,
    pause: nothing,
    cancel: nothing,
    retryFailed: nothing,
    close,
    leave,
  };
}
