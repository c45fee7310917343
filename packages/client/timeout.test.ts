import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { timeoutSignal, withTimeout } from "./timeout";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends only when its signal aborts. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error)),
  );

it("aborts work that takes too long with a TimeoutError, unlike a caller's abort", async () => {
  const outcome = (work: Promise<never>) => work.catch((error: Error) => `${error.name}: ${error.message}`);
  const late = outcome(withTimeout(1_000, endless));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toBe("TimeoutError: The request timed out.");

  const caller = new AbortController();
  const stopped = outcome(withTimeout(1_000, endless, caller.signal));
  caller.abort(new Error("enough"));
  expect(await stopped).toBe("Error: enough");
  const before = await withTimeout(1_000, async (signal) => signal.reason as Error, caller.signal);
  expect(before.message).toBe("enough");
});

it("removes its timer and listener when the work ends", async () => {
  const caller = new AbortController();
  const removed = vi.spyOn(caller.signal, "removeEventListener");
  expect(await withTimeout(1_000, async () => "done", caller.signal)).toBe("done");
  await expect(withTimeout(1_000, () => Promise.reject(new Error("no")), caller.signal)).rejects.toThrow(
    "no",
  );
  expect(removed).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

it("returns a signal that aborts after the time", () => {
  const signal = timeoutSignal(500);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(500);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});
