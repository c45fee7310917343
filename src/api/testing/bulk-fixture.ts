import { ApiError } from "../client/errors";
import type { ItemState, LedgerItem } from "../bulk/items";
import type { LedgerPlan } from "../bulk/storage";
import type { Keeper, LedgerWork } from "../bulk/types";

export const itemsOf = (count: number, state: ItemState = "queued"): LedgerItem[] =>
  Array.from({ length: count }, (_, index) => ({ uid: `u${index}`, name: `n${index}`, state }));

export const refusal = (http: number, code: number, more: { retryAfter?: number } = {}) =>
  new ApiError("refused", `No (${http}).`, {
    http,
    status: { code, message: `No (${http}).` },
    requestId: "r-1",
    ...more,
  });
export const denied = refusal(403, 7);
export const busy = (retryAfter?: number) => refusal(429, 8, retryAfter === undefined ? {} : { retryAfter });

interface Sent {
  readonly uid: string;
  readonly at: number;
  answer(how?: "done" | "gone"): void;
  refuse(error: unknown): void;
}

/** Writes that wait for the test to answer them, or are answered by `reply` at once. */
export function world(reply?: (uid: string, turn: number) => "done" | "gone" | Error) {
  const sent: Sent[] = [];
  const dropped: string[] = [];
  const rests: number[] = [];
  const work: LedgerWork = {
    send: (uid) =>
      new Promise((resolve, reject) => {
        sent.push({ uid, at: Date.now(), answer: (how = "done") => resolve(how), refuse: reject });
        const answer = reply?.(uid, sent.filter((each) => each.uid === uid).length);
        if (answer instanceof Error) reject(answer);
        else if (answer) resolve(answer);
      }),
    wasDone: async () => undefined,
    onDone: (uids) => dropped.push(...uids),
    onRest: () => rests.push(Date.now()),
  };
  return { sent, dropped, rests, work };
}

export const FORGETFUL: Keeper = { keep: () => true, forget: () => undefined };

export class MemoryStorage implements Storage {
  readonly held = new Map<string, string>();
  get length() {
    return this.held.size;
  }
  clear = () => this.held.clear();
  getItem = (key: string) => this.held.get(key) ?? null;
  key = (index: number) => [...this.held.keys()][index] ?? null;
  removeItem = (key: string) => void this.held.delete(key);
  setItem = (key: string, value: string) => void this.held.set(key, value);
}

export const PLAN = {
  resource: { collection: "things", affects: [] },
  one: "thing",
  many: "things",
} as unknown as LedgerPlan;
