import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiError } from "platform-client/errors";

import { DeletionQueue, isUnderWay, UNDO_WINDOW_MS } from "./deletion-queue";
import type { Deleted } from "./send-delete";

interface Target {
  readonly uid: string;
}

const A = { uid: "a" };
const B = { uid: "b" };

/** A service with records, and a browser between it and the queue. */
class World {
  readonly there = new Set(["a", "b"]);
  readonly sent: string[] = [];
  readonly gone: string[] = [];
  down = false;
  /** Errors instead of responses, once each. */
  errors: Error[] = [];
  /** The next request never completes. */
  hangs = false;
  readonly queue = new DeletionQueue<Target>({
    send: ({ uid }) => this.#send(uid),
    isThere: async ({ uid }) => (this.down ? undefined : this.there.has(uid)),
    isDown: () => this.down,
    onGone: ({ uid }) => void this.gone.push(uid),
  });

  async #send(uid: string): Promise<Deleted> {
    this.sent.push(uid);
    if (this.hangs) return new Promise(() => undefined);
    const error = this.errors.shift();
    if (error) throw error;
    return this.there.delete(uid) ? "deleted" : "gone";
  }

  get states(): string[] {
    return this.queue.get().map(({ uid, state }) => `${uid} ${state}`);
  }

  get hidden(): string[] {
    return this.queue.get().flatMap((each) => (isUnderWay(each) ? each.uid : []));
  }
}

let world: World;
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const unreachable = (outcome: "none" | "unknown") =>
  new ApiError("unreachable", "api.example can't be reached.").withOutcome(outcome);
const denied = () =>
  new ApiError("refused", "Permission denied", {
    http: 403,
    status: { code: 7, message: "Permission denied" },
    requestId: "r-1",
  });

beforeEach(() => {
  vi.useFakeTimers();
  world = new World();
});
afterEach(() => vi.useRealTimers());

describe("a deletion", () => {
  it("is sent once after its undo time, and reported only then", async () => {
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS - 1);
    expect(world.sent).toEqual([]);
    expect(world.states).toEqual(["a waiting"]);
    expect(world.hidden).toEqual(["a"]);
    await pass(1);
    expect(world.sent).toEqual(["a"]);
    expect(world.gone).toEqual(["a"]);
    expect(world.states).toEqual(["a deleted"]);
    expect(world.hidden).toEqual([]);
    await pass(UNDO_WINDOW_MS);
    expect(world.states).toEqual([]);
  });

  it("is never sent when undone, and the record is checked", async () => {
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS - 1);
    world.queue.undo("a");
    expect(world.hidden).toEqual([]);
    await pass(10 * UNDO_WINDOW_MS);
    expect(world.sent).toEqual([]);
    expect(world.there.has("a")).toBe(true);
  });

  it("can be chosen again while its undoing checks the record", async () => {
    world.queue.add(A);
    world.queue.undo("a");
    expect(world.hidden).toEqual([]);
    world.queue.add(A);
    expect(world.states).toEqual(["a waiting"]);
    await pass(1);
    expect(world.states).toEqual(["a waiting"]);
    await pass(UNDO_WINDOW_MS);
    expect(world.states).toEqual(["a deleted"]);
  });

  it("undone after someone else deleted the record reports that", async () => {
    world.queue.add(A);
    world.there.delete("a");
    world.queue.undo();
    await pass(0);
    expect(world.states).toEqual(["a gone"]);
    expect(world.gone).toEqual(["a"]);
  });

  it("undone while unreachable says nothing about the record", async () => {
    world.queue.add(A);
    world.down = true;
    world.queue.undo();
    await pass(0);
    expect(world.queue.get()).toMatchObject([{ state: "kept", uncertain: true }]);
  });

  it("reports that someone else deleted the record first", async () => {
    world.queue.add(A);
    world.there.delete("a");
    await pass(UNDO_WINDOW_MS);
    expect(world.states).toEqual(["a gone"]);
    expect(world.gone).toEqual(["a"]);
  });

  it("that is refused restores the record and says why", async () => {
    world.errors = [denied()];
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS);
    expect(world.queue.get()).toMatchObject([
      { state: "failed", reason: "Permission denied", requestId: "r-1", uncertain: false, canUndo: false },
    ]);
    expect(world.hidden).toEqual([]);
    expect(world.gone).toEqual([]);
    await pass(10 * UNDO_WINDOW_MS);
    expect(world.states).toEqual(["a failed"]);
    world.queue.dismiss("a");
    expect(world.states).toEqual([]);
  });

  it("waits while the service is unreachable, and can be undone meanwhile", async () => {
    world.down = true;
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS + 60_000);
    expect(world.queue.get()).toMatchObject([{ state: "held", canUndo: true }]);
    expect(world.sent).toEqual([]);
    world.down = false;
    await pass(1000);
    expect(world.states).toEqual(["a deleted"]);
    expect(world.sent).toEqual(["a"]);
  });

  it("without a response is retried, and can't be undone if it may have worked", async () => {
    world.errors = [unreachable("unknown")];
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS);
    expect(world.queue.get()).toMatchObject([{ state: "held", canUndo: false }]);
    // It had worked: that request deleted the record.
    world.there.delete("a");
    world.queue.undo("a");
    await pass(1000);
    expect(world.states).toEqual(["a deleted"]);
    expect(world.sent).toEqual(["a", "a"]);
  });

  it("that certainly failed can be undone before the retry", async () => {
    world.errors = [unreachable("none")];
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS);
    expect(world.queue.get()).toMatchObject([{ state: "held", canUndo: true }]);
    world.queue.undo("a");
    await pass(60_000);
    expect(world.sent).toEqual(["a"]);
    expect(world.there.has("a")).toBe(true);
  });

  it("gives up in the end, and says that the outcome is unknown", async () => {
    world.errors = Array.from({ length: 20 }, () => unreachable("unknown"));
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS + 200_000);
    expect(world.queue.get()).toMatchObject([{ state: "failed", uncertain: true }]);
    expect(world.sent).toHaveLength(7);
  });
});

describe("time", () => {
  it("pauses its clock while the user reads, with at least a second left", async () => {
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS - 10);
    world.queue.pause();
    await pass(60_000);
    expect(world.states).toEqual(["a waiting"]);
    world.queue.resume();
    await pass(999);
    expect(world.states).toEqual(["a waiting"]);
    await pass(1);
    expect(world.states).toEqual(["a deleted"]);
  });

  it("does not pause the clock of a deletion that waits for the service", async () => {
    world.down = true;
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS);
    world.queue.pause();
    world.down = false;
    await pass(1000);
    expect(world.states).toEqual(["a deleted"]);
  });

  it("does not start the clock of a deletion added while the user reads", async () => {
    world.queue.pause();
    world.queue.add(A);
    await pass(60_000);
    expect(world.states).toEqual(["a waiting"]);
    world.queue.resume();
    await pass(UNDO_WINDOW_MS);
    expect(world.states).toEqual(["a deleted"]);
  });
});

describe("several", () => {
  it("have a clock each; undo without a name takes back the latest possible one", async () => {
    world.queue.add(A);
    await pass(1000);
    world.queue.add(B);
    world.queue.undo();
    await pass(0);
    expect(world.states).toEqual(["a waiting", "b kept"]);
    await pass(UNDO_WINDOW_MS - 1000);
    expect(world.sent).toEqual(["a"]);
  });

  it("of the same record are one", async () => {
    world.queue.add(A);
    await pass(3000);
    world.queue.add(A);
    await pass(3000);
    expect(world.sent).toEqual(["a"]);
    expect(world.states).toEqual(["a deleted"]);
  });

  it("are sent at once, together", async () => {
    world.queue.add(A);
    world.queue.add(B);
    await world.queue.flush();
    expect(world.sent).toEqual(["a", "b"]);
    expect(world.there.size).toBe(0);
    await world.queue.flush();
  });
});

describe("a page that is left", () => {
  it("hands over pending deletions, and sends nothing itself", async () => {
    world.queue.add(A);
    world.queue.add(B);
    world.queue.undo("b");
    await pass(0);
    expect(world.queue.leave()).toEqual([A]);
    await pass(60_000);
    expect(world.sent).toEqual([]);
    expect(world.hidden).toEqual(["a"]);
    world.queue.undo("a");
    expect(world.hidden).toEqual(["a"]);
  });

  it("checks the outcome when it is restored", async () => {
    world.queue.add(A);
    world.queue.leave();
    world.there.delete("a");
    world.queue.comeBack();
    await pass(0);
    expect(world.states).toEqual(["a deleted"]);
  });

  it("lets the next page continue", async () => {
    world.there.delete("a");
    world.errors = [denied()];
    world.queue.restore([B, A]);
    await pass(0);
    expect(world.queue.get()).toMatchObject([
      { uid: "b", state: "failed" },
      { uid: "a", state: "deleted" },
    ]);
  });

  it("hands over a request without a response", async () => {
    world.hangs = true;
    world.queue.add(A);
    await pass(UNDO_WINDOW_MS);
    expect(world.states).toEqual(["a sending"]);
    expect(world.queue.leave()).toEqual([A]);
  });
});
