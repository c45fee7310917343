import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { BulkJob } from "./bulk-job";
import { findJob, storeJob } from "./storage";
import { denied, NO_STORAGE, itemsOf, MemoryStorage, PLAN, fakeWork } from "../testing/bulk-fixture";

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a stored job", () => {
  it("is found again by its owner only", () => {
    const storage = new MemoryStorage();
    storeJob("ada", PLAN, itemsOf(250), storage);
    expect(findJob("ada", storage)).toMatchObject({ plan: PLAN, items: itemsOf(250) });
    expect(findJob("eve", storage)).toBeUndefined();
    expect(storage.length).toBe(0);
    expect(findJob("ada", storage)).toBeUndefined();
  });

  it("keeps everything that the request of an item needs", async () => {
    const storage = new MemoryStorage();
    const grants = itemsOf(2).map((item, index) => ({ ...item, role: `r${index}` }));
    storeJob("ada", PLAN, grants, storage);
    const sent: string[] = [];
    const { work } = fakeWork();
    const send = async ({ uid, role }: { uid: string; role?: string }) => `${sent.push(`${uid} ${role}`)}`;
    const found = findJob("ada", storage);
    const job = new BulkJob(found?.items ?? [], { ...work, send }, NO_STORAGE);
    job.resume();
    await settle();
    expect(sent).toEqual(["u0 r0", "u1 r1"]);
  });

  it("sends nothing twice after a reload: requests that were in flight are looked up first", async () => {
    const storage = new MemoryStorage();
    const { sent, work } = fakeWork();
    const first = new BulkJob(itemsOf(8), work, storeJob("ada", PLAN, itemsOf(8), storage).storage);
    first.resume();
    sent[0]?.answer();
    await settle();
    expect(sent).toHaveLength(5);

    // u1 had worked, u2 had not, u3 and u4 cannot be determined.
    const lookedUp: string[] = [];
    const after = fakeWork(() => "done");
    const found = findJob("ada", storage);
    const job = new BulkJob(
      found?.items ?? [],
      {
        ...after.work,
        wasDone: async ({ uid }) => {
          lookedUp.push(uid);
          if (uid === "u4") throw denied;
          return { u1: true, u2: false }[uid];
        },
      },
      found?.storage ?? NO_STORAGE,
    );
    // Even if it is resumed immediately.
    job.resume();
    expect(after.sent).toHaveLength(0);
    await settle();
    expect(lookedUp).toEqual(["u1", "u2", "u3", "u4"]);
    expect(after.sent.map(({ uid }) => uid)).toEqual(["u2", "u5", "u6", "u7"]);
    expect(job.get().items.map(({ state }) => state)).toEqual([
      "done",
      "done",
      "done",
      "unknown",
      "unknown",
      "done",
      "done",
      "done",
    ]);
    expect(job.get().items[4]?.reason).toBe("No (403).");
    expect(findJob("ada", storage)?.items.map(({ state }) => state)).toEqual(
      job.get().items.map(({ state }) => state),
    );
  });

  it("sends nothing until it is resumed", async () => {
    const storage = new MemoryStorage();
    const { storage: jobStorage } = storeJob("ada", PLAN, itemsOf(3), storage);
    const { sent, work } = fakeWork();
    const job = new BulkJob(findJob("ada", storage)?.items ?? [], work, jobStorage);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(job.get().status).toBe("paused");
    expect(sent).toHaveLength(0);
  });

  it("stores nothing after storage was full: a partial list would look complete", () => {
    const storage = new MemoryStorage();
    const { storage: jobStorage } = storeJob("ada", PLAN, itemsOf(250), storage);
    const { setItem } = storage;
    storage.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    expect(jobStorage.save(itemsOf(250), [0])).toBe(false);
    storage.setItem = setItem;
    expect(jobStorage.save(itemsOf(250), [120])).toBe(false);
    expect(storage.length).toBe(0);
  });

  it("reports full storage, and removes outdated data", async () => {
    const storage = new MemoryStorage();
    const { storage: jobStorage } = storeJob("ada", PLAN, itemsOf(150), storage);
    const { work } = fakeWork(() => "done");
    storage.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const job = new BulkJob(itemsOf(150), work, jobStorage);
    job.resume();
    await vi.advanceTimersByTimeAsync(1000);
    expect(job.get()).toMatchObject({ status: "finished", stored: false, counts: { done: 150 } });
    expect(storage.length).toBe(0);
  });
});
