import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ConnectionWatch } from "./connection";

let answers: boolean;
const probe = vi.fn(async () => {
  if (!answers) throw new Error("api.example can't be reached.");
});
let watch: ConnectionWatch;
const told = vi.fn();
const turn = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  probe.mockClear();
  told.mockClear();
  answers = false;
  watch = new ConnectionWatch(probe);
  watch.subscribe(told);
});
afterEach(() => vi.useRealTimers());

it("is up until both a request and the probe get no response", async () => {
  answers = true;
  watch.check();
  await turn();
  expect(watch.get()).toEqual({ state: "up" });
  expect(told).not.toHaveBeenCalled();

  answers = false;
  watch.check();
  await turn();
  expect(watch.get()).toMatchObject({ state: "down", message: "api.example can't be reached." });
});

it("knows the last response and the next attempt", async () => {
  watch.noteResponse();
  const lastResponse = Date.now();
  watch.check();
  await turn();
  const now = watch.get();
  expect(now).toMatchObject({ state: "down", lastResponse });
  const wait = (now.state === "down" ? (now.nextTry ?? 0) : 0) - Date.now();
  expect(wait).toBeGreaterThanOrEqual(1600);
  expect(wait).toBeLessThanOrEqual(2400);
});

it("tries again by itself, less and less often, and is up with the first answer", async () => {
  watch.check();
  await vi.advanceTimersByTimeAsync(60_000);
  // After about 0, 2, 6, 14, 29 and 59 s.
  expect(probe.mock.calls.length).toBeGreaterThanOrEqual(5);
  expect(probe.mock.calls.length).toBeLessThanOrEqual(7);
  answers = true;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(watch.get()).toEqual({ state: "up" });
  const tries = probe.mock.calls.length;
  await vi.advanceTimersByTimeAsync(100_000);
  expect(probe).toHaveBeenCalledTimes(tries);
});

it("is up with any response, without waiting for the next attempt", async () => {
  watch.check();
  await turn();
  watch.noteResponse();
  expect(watch.get()).toEqual({ state: "up" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probe).toHaveBeenCalledOnce();
});

it("sends one probe, however many requests got no response", async () => {
  for (let index = 0; index < 20; index += 1) watch.check();
  await turn();
  expect(probe).toHaveBeenCalledOnce();
});

it("can be probed now, and says that a probe is in flight", async () => {
  watch.check();
  await turn();
  answers = true;
  watch.check();
  expect(watch.get()).toMatchObject({ state: "down", nextTry: undefined });
  await turn();
  expect(watch.get()).toEqual({ state: "up" });
});

it("tries no more once it has ended, not even when a try was under way", async () => {
  watch.check();
  watch.end();
  await turn();
  expect(watch.get()).toEqual({ state: "up" });
  await vi.advanceTimersByTimeAsync(120_000);
  watch.check();
  expect(probe).toHaveBeenCalledTimes(1);
});
