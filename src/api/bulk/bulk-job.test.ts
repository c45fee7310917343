import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiError } from "../client/errors";
import { createLedger } from "./bulk-job";
import { busy, denied, FORGETFUL, itemsOf, refusal, world } from "../testing/bulk-fixture";

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("createLedger", () => {
  it("sends four at once, and the next when one is answered", async () => {
    const { sent, work } = world();
    const ledger = createLedger(itemsOf(6), work, FORGETFUL);
    await settle();
    expect(sent).toHaveLength(0);
    ledger.resume();
    await settle();
    expect(sent.map(({ uid }) => uid)).toEqual(["u0", "u1", "u2", "u3"]);
    sent[1]?.answer();
    await settle();
    expect(sent.map(({ uid }) => uid)).toEqual(["u0", "u1", "u2", "u3", "u4"]);
  });

  it("says what became of each, with the reason, and rests once", async () => {
    const replies = { u1: "gone", u2: denied, u3: new Error("broken") } as Record<string, "gone" | Error>;
    const { work, rests, dropped } = world((uid) => replies[uid] ?? "done");
    const ledger = createLedger(itemsOf(5), work, FORGETFUL);
    ledger.resume();
    await settle();
    const { run, items, counts } = ledger.get();
    expect(run).toBe("over");
    expect(items.map(({ state }) => state)).toEqual(["done", "gone", "refused", "failed", "done"]);
    expect(items[2]).toMatchObject({ reason: "No (403).", requestId: "r-1" });
    expect(counts).toMatchObject({ done: 2, gone: 1, refused: 1, failed: 1, queued: 0 });
    expect(rests).toHaveLength(1);
    expect(dropped).toEqual(["u0", "u1", "u4"]);
  });

  it("sends nothing while the service asks to wait, and then the one that was put off first", async () => {
    const { sent, work } = world((uid, turn) => (uid === "u1" && turn === 1 ? busy(2) : "done"));
    const ledger = createLedger(itemsOf(40), work, FORGETFUL);
    const begun = Date.now();
    ledger.resume();
    await settle();
    const before = sent.length;
    expect(before).toBeLessThan(10);
    expect(ledger.get().waitUntil).toBe(0);
    await vi.advanceTimersByTimeAsync(150);
    expect(ledger.get()).toMatchObject({ run: "running", waitUntil: begun + 2000, counts: { waiting: 1 } });
    await vi.advanceTimersByTimeAsync(1800);
    expect(sent).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent[before]?.uid).toBe("u1");
    expect(ledger.get()).toMatchObject({ run: "over", counts: { done: 40 } });
    expect(sent).toHaveLength(41);
  });

  it("waits longer and longer where the service does not say how long, and gives up", async () => {
    const { sent, work } = world(() => busy());
    const ledger = createLedger(itemsOf(1), work, FORGETFUL);
    ledger.resume();
    await vi.advanceTimersByTimeAsync(60_000);
    const [first = 0, ...later] = sent.map(({ at }) => at);
    expect(later.map((at) => at - first)).toEqual([1000, 3000, 7000, 15_000, 31_000]);
    expect(ledger.get().items[0]).toMatchObject({ state: "failed", reason: "No (429)." });
  });

  it("pauses, lets arrive what is on its way, and goes on", async () => {
    const { sent, work, rests } = world();
    const ledger = createLedger(itemsOf(6), work, FORGETFUL);
    ledger.resume();
    ledger.pause();
    for (const each of sent) each.answer();
    await settle();
    expect(sent).toHaveLength(4);
    expect(ledger.get()).toMatchObject({ run: "paused", counts: { done: 4, queued: 2 } });
    expect(rests).toHaveLength(1);
    ledger.resume();
    expect(sent).toHaveLength(6);
  });

  it("rests when it is paused while the service asks to wait: what was done is told", async () => {
    const { work, rests, dropped } = world((uid, turn) => (uid === "u1" && turn === 1 ? busy(60) : "done"));
    const ledger = createLedger(itemsOf(40), work, FORGETFUL);
    ledger.resume();
    await vi.advanceTimersByTimeAsync(150);
    expect(rests).toHaveLength(0);
    ledger.pause();
    expect(rests).toHaveLength(1);
    expect(dropped.length).toBe(ledger.get().counts.done);
  });

  it("cancels: what was not sent stays not sent", async () => {
    const { sent, work } = world();
    const ledger = createLedger(itemsOf(7), work, FORGETFUL);
    ledger.resume();
    ledger.cancel();
    sent[0]?.answer();
    sent[1]?.refuse(busy(1));
    sent[2]?.refuse(denied);
    sent[3]?.answer();
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toHaveLength(4);
    const { run, counts } = ledger.get();
    expect(run).toBe("over");
    expect(counts).toMatchObject({ done: 2, refused: 1, unsent: 4 });
  });

  it("retries what failed, and nothing else", async () => {
    const { sent, work } = world((uid, turn) => {
      if (turn > 1) return "done";
      if (uid === "u1") return denied;
      return uid === "u4" ? new ApiError("unreachable", "?", { outcome: "unknown" }) : "done";
    });
    const ledger = createLedger(itemsOf(6), work, FORGETFUL);
    ledger.resume();
    await settle();
    // Whether it can be reached is for the person to say.
    expect(ledger.get().trouble).toBe("?");
    ledger.resume();
    await settle();
    expect(ledger.get().counts).toMatchObject({ done: 4, refused: 1, unknown: 1 });
    const before = sent.length;
    ledger.retryFailed();
    await settle();
    expect(sent.slice(before).map(({ uid }) => uid)).toEqual(["u1", "u4"]);
    expect(ledger.get()).toMatchObject({ run: "over", counts: { done: 6 } });
  });

  it.each([
    ["the service is out of reach", new ApiError("unreachable", "Away.", { outcome: "none" })],
    ["the session is over", refusal(401, 16)],
  ])("pauses by itself when %s, and what did not happen is sent later", async (_why, error) => {
    let away = true;
    const { sent, work } = world(() => (away ? error : "done"));
    const ledger = createLedger(itemsOf(30), work, FORGETFUL);
    ledger.resume();
    await settle();
    expect(ledger.get()).toMatchObject({ run: "paused", trouble: error.message, counts: { queued: 30 } });
    expect(sent.length).toBeLessThanOrEqual(4);
    away = false;
    ledger.resume();
    await settle();
    expect(ledger.get()).toMatchObject({ run: "over", trouble: undefined, counts: { done: 30 } });
  });

  it("does ten thousand, and takes them out of the lists in few rounds", async () => {
    const { work } = world(() => "done");
    const rounds: number[] = [];
    const onDone = (uids: readonly string[]) => void rounds.push(uids.length);
    const ledger = createLedger(itemsOf(10_000), { ...work, onDone }, FORGETFUL);
    ledger.resume();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ledger.get()).toMatchObject({ run: "over", counts: { done: 10_000 } });
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(rounds.length).toBeLessThan(20);
  });
});
