import { expect, it } from "vitest";

import { exclusively } from "./lock";
import { FakeBrowser, settle } from "./testing/fake-browser";

const { signal: patient } = new AbortController();

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

it("steals the lock of a holder that never gives it back, and lets that one end", async () => {
  const { locks } = new FakeBrowser();
  let thaw: (value: string) => void = () => undefined;
  const frozen = exclusively(locks, "l", () => new Promise<string>((resolve) => (thaw = resolve)), patient);
  const impatient = new AbortController();
  const second = exclusively(locks, "l", async () => "second", impatient.signal);
  await settle();
  impatient.abort(new DOMException("late", "TimeoutError"));
  expect(await second).toBe("second");
  thaw("first");
  expect(await frozen).toBe("first");
});

it("passes a failure of the work on, and frees the lock", async () => {
  const { locks } = new FakeBrowser();
  await expect(exclusively(locks, "l", () => Promise.reject(new Error("no")), patient)).rejects.toThrow("no");
  expect(await exclusively(locks, "l", async () => 1, patient)).toBe(1);
});
