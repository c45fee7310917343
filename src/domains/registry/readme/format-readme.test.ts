import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { formatReadme } from "./format-readme";

/** A worker controlled by the test. */
class FakeWorker extends EventTarget {
  readonly postMessage = vi.fn<(request: unknown) => void>();
  readonly terminate = vi.fn<() => void>();
  says(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

let worker: FakeWorker;
let stop: AbortController;
beforeEach(() => {
  vi.useFakeTimers();
  worker = new FakeWorker();
  stop = new AbortController();
});
afterEach(() => vi.useRealTimers());

const REQUEST = { content: "# Title", prefix: "p-" };
const format = () => formatReadme(REQUEST, stop.signal, () => worker as unknown as Worker);

it("answers the tree, and ends the worker", async () => {
  const tree = format();
  worker.says("ready");
  expect(worker.postMessage).toHaveBeenCalledExactlyOnceWith(REQUEST);
  worker.says({ value: { type: "root" } });
  expect(await tree).toEqual({ type: "root" });
  expect(worker.terminate).toHaveBeenCalled();
});

it("gives up after a second, counted from when the worker is there", async () => {
  const tree = format();
  vi.advanceTimersByTime(60_000);
  expect(worker.terminate).not.toHaveBeenCalled();
  worker.says("ready");
  vi.advanceTimersByTime(999);
  expect(worker.terminate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(worker.terminate).toHaveBeenCalled();
  expect(await tree).toBeUndefined();
});

it.each([
  ["cannot be loaded or breaks", () => worker.dispatchEvent(new Event("error"))],
  ["is no longer wanted", () => stop.abort()],
])("ends when the worker %s", async (_when, happens) => {
  const tree = format();
  happens();
  expect(worker.terminate).toHaveBeenCalled();
  expect(await tree).toBeUndefined();
});
