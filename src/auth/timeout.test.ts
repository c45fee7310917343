import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { timeoutSignal, withTimeout } from "./timeout";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends only when its signal aborts. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error)),
  );

it("ends work that takes too long, by a name that tells it from a caller's own abort", async () => {
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

it("leaves nothing behind once the work is done, however it ended", async () => {
  const caller = new AbortController();
  const removed = vi.spyOn(caller.signal, "removeEventListener");
  expect(await withTimeout(1_000, async () => "done", caller.signal)).toBe("done");
  await expect(withTimeout(1_000, () => Promise.reject(new Error("no")), caller.signal)).rejects.toThrow(
    "no",
  );
  expect(removed).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

it("gives a signal that ends a wait", () => {
  const signal = timeoutSignal(500);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(500);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});
