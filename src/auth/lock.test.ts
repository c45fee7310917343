import { expect, it } from "vitest";

import { exclusively } from "./lock";
import { FakeBrowser, settle } from "./testing/fake-browser";

const patient = { now: () => 0, abortAfter: () => new AbortController().signal };

it("lets one at a time in, in order", async () => {
  const { locks } = new FakeBrowser();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} in`);
    await settle();
    steps.push(`${name} out`);
    return name;
  };
  const both = [exclusively(locks, "l", work("a"), patient), exclusively(locks, "l", work("b"), patient)];
  expect(await Promise.all(both)).toEqual(["a", "b"]);
  expect(steps).toEqual(["a in", "a out", "b in", "b out"]);
});

it("steals a lock that is never released, and lets its holder's work finish", async () => {
  const { locks } = new FakeBrowser();
  let thaw: (value: string) => void = () => undefined;
  const frozen = exclusively(locks, "l", () => new Promise<string>((resolve) => (thaw = resolve)), patient);
  const impatient = new AbortController();
  const signals = [impatient.signal];
  const second = exclusively(locks, "l", async () => "second", {
    now: () => 0,
    abortAfter: () => signals.shift() ?? patient.abortAfter(),
  });
  await settle();
  impatient.abort(new DOMException("late", "TimeoutError"));
  expect(await second).toBe("second");
  thaw("first");
  expect(await frozen).toBe("first");
});

it("lets one of many waiting tabs steal the lock, and the others wait for it", async () => {
  const { locks } = new FakeBrowser();
  void exclusively(locks, "l", () => new Promise(() => undefined), patient);
  const late = new AbortController();
  const calm = new AbortController();
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    for (let turn = 0; turn < 5; turn++) await settle();
    inside--;
  };
  const waiting = [1, 2, 3, 4].map(() => {
    const signals = [late.signal];
    return exclusively(locks, "l", work, {
      now: () => 0,
      abortAfter: () => signals.shift() ?? calm.signal,
    });
  });
  await settle();
  late.abort(new DOMException("late", "TimeoutError"));
  await Promise.all(waiting);
  expect(most).toBe(1);
});

it("gives the holder its full time again after the machine slept", async () => {
  const browser = new FakeBrowser();
  let finish: (value: string) => void = () => undefined;
  const holder = exclusively(
    browser.locks,
    "l",
    () => new Promise<string>((resolve) => (finish = resolve)),
    patient,
  );
  const rounds = [new AbortController(), new AbortController()];
  let round = 0;
  const order: string[] = [];
  const waiting = exclusively(browser.locks, "l", async () => order.push("waiting"), {
    now: () => browser.now,
    abortAfter: () => (rounds[round++] as AbortController).signal,
  });
  await settle();
  browser.advance(3600_000);
  rounds[0]?.abort(new DOMException("late", "TimeoutError"));
  await settle();
  expect(order).toEqual([]);
  finish("holder");
  void holder.then(() => order.unshift("holder"));
  await waiting;
  expect(order).toEqual(["holder", "waiting"]);
});

it("passes a failure of the work on, and frees the lock", async () => {
  const { locks } = new FakeBrowser();
  await expect(exclusively(locks, "l", () => Promise.reject(new Error("no")), patient)).rejects.toThrow("no");
  expect(await exclusively(locks, "l", async () => 1, patient)).toBe(1);
});
