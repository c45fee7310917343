import { ApiError } from "platform-client/errors";

import type { BulkItem, BulkWork, JobStorage } from "../bulk/bulk-job";
import type { ItemState } from "../bulk/outcome";
import type { JobPlan } from "../bulk/storage";

export const itemsOf = (count: number, state: ItemState = "queued"): BulkItem[] =>
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
  answer(): void;
  refuse(error: unknown): void;
}

/** Requests that wait until the test answers them, or that `reply` answers immediately. */
export function fakeWork(reply?: (uid: string, turn: number) => "done" | Error) {
  const sent: Sent[] = [];
  const reported: string[] = [];
  const idle: number[] = [];
  const work: BulkWork = {
    send: ({ uid }) =>
      new Promise((resolve, reject) => {
        sent.push({ uid, at: Date.now(), answer: () => resolve(undefined), refuse: reject });
        const answer = reply?.(uid, sent.filter((each) => each.uid === uid).length);
        if (answer instanceof Error) reject(answer);
        else if (answer) resolve(undefined);
      }),
    wasDone: async () => undefined,
    onDone: (uids) => reported.push(...uids),
    onIdle: () => idle.push(Date.now()),
  };
  return { sent, reported, idle, work };
}

export const NO_STORAGE: JobStorage = { save: () => true, clear: () => undefined };

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

export const PLAN: JobPlan = {
  action: "delete",
  data: { collection: "things", affects: [] },
  words: { doing: "Deleting", done: "Deleted", one: "thing", many: "things" },
};
