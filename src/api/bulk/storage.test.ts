import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createLedger } from "./bulk-job";
import { findLedger, keepLedger } from "./storage";
import { denied, FORGETFUL, itemsOf, MemoryStorage, PLAN, world } from "../testing/bulk-fixture";

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a ledger that is kept", () => {
  it("is found again by its owner alone", () => {
    const storage = new MemoryStorage();
    keepLedger("ada", PLAN, itemsOf(250), storage);
    expect(findLedger("ada", storage)).toMatchObject({ plan: PLAN, items: itemsOf(250) });
    expect(findLedger("eve", storage)).toBeUndefined();
    expect(storage.length).toBe(0);
    expect(findLedger("ada", storage)).toBeUndefined();
  });

  it("sends nothing twice after a reload: what was on its way is looked after first", async () => {
    const storage = new MemoryStorage();
    const { sent, work } = world();
    const first = createLedger(itemsOf(8), work, keepLedger("ada", PLAN, itemsOf(8), storage).keeper);
    first.resume();
    sent[0]?.answer();
    await settle();
    expect(sent).toHaveLength(5);

    // u1 had happened, u2 had not, u3 and u4 cannot be found out.
    const looked: string[] = [];
    const after = world(() => "done");
    const found = findLedger("ada", storage);
    const ledger = createLedger(
      found?.items ?? [],
      {
        ...after.work,
        wasDone: async (uid) => {
          looked.push(uid);
          if (uid === "u4") throw denied;
          return { u1: true, u2: false }[uid];
        },
      },
      found?.keeper ?? FORGETFUL,
    );
    // Even when it is told to go on at once.
    ledger.resume();
    expect(after.sent).toHaveLength(0);
    await settle();
    expect(looked).toEqual(["u1", "u2", "u3", "u4"]);
    expect(after.sent.map(({ uid }) => uid)).toEqual(["u2", "u5", "u6", "u7"]);
    expect(ledger.get().items.map(({ state }) => state)).toEqual([
      "done",
      "done",
      "done",
      "unknown",
      "unknown",
      "done",
      "done",
      "done",
    ]);
    expect(ledger.get().items[4]?.reason).toBe("No (403).");
    expect(findLedger("ada", storage)?.items.map(({ state }) => state)).toEqual(
      ledger.get().items.map(({ state }) => state),
    );
  });

  it("rests until somebody resumes it", async () => {
    const storage = new MemoryStorage();
    const { keeper } = keepLedger("ada", PLAN, itemsOf(3), storage);
    const { sent, work } = world();
    createLedger(findLedger("ada", storage)?.items ?? [], work, keeper);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(0);
  });

  it("writes nothing more once there was no room: half a list would be taken for all of it", () => {
    const storage = new MemoryStorage();
    const { keeper } = keepLedger("ada", PLAN, itemsOf(250), storage);
    const { setItem } = storage;
    storage.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    expect(keeper.keep(itemsOf(250), [0])).toBe(false);
    storage.setItem = setItem;
    expect(keeper.keep(itemsOf(250), [120])).toBe(false);
    expect(storage.length).toBe(0);
  });

  it("says so where there is no room, and leaves nothing behind that is out of date", async () => {
    const storage = new MemoryStorage();
    const { keeper } = keepLedger("ada", PLAN, itemsOf(150), storage);
    const { work } = world(() => "done");
    storage.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const ledger = createLedger(itemsOf(150), work, keeper);
    ledger.resume();
    await vi.advanceTimersByTimeAsync(1000);
    expect(ledger.get()).toMatchObject({ run: "over", kept: false, counts: { done: 150 } });
    expect(storage.length).toBe(0);
  });
});
