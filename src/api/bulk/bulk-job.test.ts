import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiError } from "platform-client/errors";

import { BulkJob } from "./bulk-job";
import { busy, denied, NO_STORAGE, itemsOf, refusal, fakeWork } from "../testing/bulk-fixture";

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("BulkJob", () => {
  it("sends four at once, and the next when one is answered", async () => {
    const { sent, work } = fakeWork();
    const job = new BulkJob(itemsOf(6), work, NO_STORAGE);
    await settle();
    expect(sent).toHaveLength(0);
    job.resume();
    await settle();
    expect(sent.map(({ uid }) => uid)).toEqual(["u0", "u1", "u2", "u3"]);
    sent[1]?.answer();
    await settle();
    expect(sent.map(({ uid }) => uid)).toEqual(["u0", "u1", "u2", "u3", "u4"]);
  });

  it("says what happened to each item and why, and is idle once", async () => {
    const replies: Record<string, Error> = { u2: denied, u3: new Error("broken") };
    const { work, idle, reported } = fakeWork((uid) => replies[uid] ?? "done");
    const job = new BulkJob(itemsOf(5), work, NO_STORAGE);
    job.resume();
    await settle();
    const { status, items, counts } = job.get();
    expect(status).toBe("finished");
    expect(items.map(({ state }) => state)).toEqual(["done", "done", "failed", "failed", "done"]);
    expect(items[2]).toMatchObject({ reason: "No (403).", requestId: "r-1" });
    expect(counts).toMatchObject({ done: 3, failed: 2, queued: 0 });
    expect(idle).toHaveLength(1);
    expect(reported).toEqual(["u0", "u1", "u4"]);
  });

  it("sends nothing until Retry-After, then the refused request again", async () => {
    const { sent, work } = fakeWork((uid, turn) => (uid === "u1" && turn === 1 ? busy(2) : "done"));
    const job = new BulkJob(itemsOf(40), work, NO_STORAGE);
    const begun = Date.now();
    job.resume();
    await settle();
    const before = sent.length;
    expect(before).toBeLessThan(10);
    expect(job.get().waitUntil).toBe(0);
    await vi.advanceTimersByTimeAsync(150);
    expect(job.get()).toMatchObject({ status: "running", waitUntil: begun + 2000, counts: { sending: 0 } });
    await vi.advanceTimersByTimeAsync(1800);
    expect(sent).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent[before]?.uid).toBe("u1");
    expect(job.get()).toMatchObject({ status: "finished", counts: { done: 40 } });
    expect(sent).toHaveLength(41);
  });

  it("backs off without Retry-After, and gives up eventually", async () => {
    const { sent, work } = fakeWork(() => busy());
    const job = new BulkJob(itemsOf(1), work, NO_STORAGE);
    job.resume();
    await vi.advanceTimersByTimeAsync(60_000);
    const [first = 0, ...later] = sent.map(({ at }) => at);
    expect(later.map((at) => at - first)).toEqual([1000, 3000, 7000, 15_000, 31_000]);
    expect(job.get().items[0]).toMatchObject({ state: "failed", reason: "No (429)." });
  });

  it("sends the items in their order when it may send one at a time", async () => {
    const { sent, work } = fakeWork((uid, turn) => (uid === "u1" && turn === 1 ? busy(1) : "done"));
    const job = new BulkJob(itemsOf(4), { ...work, concurrency: 1 }, NO_STORAGE);
    job.resume();
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent.map(({ uid }) => uid)).toEqual(["u0", "u1", "u1", "u2", "u3"]);
  });

  it("pauses at the first failure if the order matters, and resumes there", async () => {
    const lost = new ApiError("unreachable", "Gone.", { outcome: "unknown" });
    const replies: Record<string, Error[]> = { u1: [denied], u2: [lost] };
    const { sent, work } = fakeWork((uid, turn) => replies[uid]?.[turn - 1] ?? "done");
    const strict = { ...work, concurrency: 1, stopsAtFailure: true };
    const job = new BulkJob(itemsOf(4), strict, NO_STORAGE);
    job.resume();
    await settle();
    expect(job.get()).toMatchObject({ status: "paused", problem: "n1: No (403).", counts: { queued: 3 } });
    expect(job.get().items[1]).toMatchObject({ state: "queued", reason: "No (403).", requestId: "r-1" });
    job.resume();
    await settle();
    expect(job.get()).toMatchObject({ status: "paused", counts: { done: 2, queued: 2 } });
    job.resume();
    await settle();
    expect(job.get()).toMatchObject({ status: "finished", problem: undefined, counts: { done: 4 } });
    expect(sent.map(({ uid }) => uid)).toEqual(["u0", "u1", "u1", "u2", "u2", "u3"]);
  });

  it("resends requests interrupted by a reload if the order matters", async () => {
    const { sent, work } = fakeWork(() => "done");
    const [first, ...rest] = itemsOf(3);
    const items = [{ ...first!, state: "sending" as const }, ...rest];
    const job = new BulkJob(items, { ...work, concurrency: 1, stopsAtFailure: true }, NO_STORAGE);
    job.resume();
    await settle();
    expect(sent.map(({ uid }) => uid)).toEqual(["u0", "u1", "u2"]);
  });

  it("keeps the note on how an item was done", async () => {
    const { work } = fakeWork();
    const job = new BulkJob(itemsOf(1), { ...work, send: async () => "It was there." }, NO_STORAGE);
    job.resume();
    await settle();
    expect(job.get().items[0]).toMatchObject({ state: "done", reason: "It was there." });
  });

  it("pauses once the requests in flight are answered, and resumes", async () => {
    const { sent, work, idle } = fakeWork();
    const job = new BulkJob(itemsOf(6), work, NO_STORAGE);
    job.resume();
    job.pause();
    for (const each of sent) each.answer();
    await settle();
    expect(sent).toHaveLength(4);
    expect(job.get()).toMatchObject({ status: "paused", counts: { done: 4, queued: 2 } });
    expect(idle).toHaveLength(1);
    job.resume();
    expect(sent).toHaveLength(6);
  });

  it("is idle when it is paused during a wait, and reports what was done", async () => {
    const { work, idle, reported } = fakeWork((uid, turn) =>
      uid === "u1" && turn === 1 ? busy(60) : "done",
    );
    const job = new BulkJob(itemsOf(40), work, NO_STORAGE);
    job.resume();
    await vi.advanceTimersByTimeAsync(150);
    expect(idle).toHaveLength(0);
    job.pause();
    expect(idle).toHaveLength(1);
    expect(reported.length).toBe(job.get().counts.done);
  });

  it("never sends what was canceled", async () => {
    const { sent, work } = fakeWork();
    const job = new BulkJob(itemsOf(7), work, NO_STORAGE);
    job.resume();
    job.cancel();
    sent[0]?.answer();
    sent[1]?.refuse(busy(1));
    sent[2]?.refuse(denied);
    sent[3]?.answer();
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toHaveLength(4);
    const { status, counts } = job.get();
    expect(status).toBe("finished");
    expect(counts).toMatchObject({ done: 2, failed: 1, canceled: 4 });
  });

  it("retries what failed, and nothing else", async () => {
    const { sent, work } = fakeWork((uid, turn) => {
      if (turn > 1) return "done";
      if (uid === "u1") return denied;
      return uid === "u4" ? new ApiError("unreachable", "?", { outcome: "unknown" }) : "done";
    });
    const job = new BulkJob(itemsOf(6), work, NO_STORAGE);
    job.resume();
    await settle();
    // The job paused itself because the service seemed unreachable.
    expect(job.get().problem).toBe("?");
    job.resume();
    await settle();
    expect(job.get().counts).toMatchObject({ done: 4, failed: 1, unknown: 1 });
    const before = sent.length;
    job.retryFailed();
    await settle();
    expect(sent.slice(before).map(({ uid }) => uid)).toEqual(["u1", "u4"]);
    expect(job.get()).toMatchObject({ status: "finished", counts: { done: 6 } });
  });

  it.each([
    ["the service is out of reach", new ApiError("unreachable", "Away.", { outcome: "none" })],
    ["the session is over", refusal(401, 16)],
  ])("pauses itself when %s, and sends later what did not happen", async (_why, error) => {
    let away = true;
    const { sent, work } = fakeWork(() => (away ? error : "done"));
    const job = new BulkJob(itemsOf(30), work, NO_STORAGE);
    job.resume();
    await settle();
    expect(job.get()).toMatchObject({ status: "paused", problem: error.message, counts: { queued: 30 } });
    expect(sent.length).toBeLessThanOrEqual(4);
    away = false;
    job.resume();
    await settle();
    expect(job.get()).toMatchObject({ status: "finished", problem: undefined, counts: { done: 30 } });
  });

  it("sends ten thousand, and reports them in few rounds", async () => {
    const { work } = fakeWork(() => "done");
    const rounds: number[] = [];
    const onDone = (uids: readonly string[]) => void rounds.push(uids.length);
    const job = new BulkJob(itemsOf(10_000), { ...work, onDone }, NO_STORAGE);
    job.resume();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(job.get()).toMatchObject({ status: "finished", counts: { done: 10_000 } });
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(rounds.length).toBeLessThan(20);
  });
});
