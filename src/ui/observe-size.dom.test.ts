import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { observeSize } from "./observe-size";

/** Does what a browser does when the element was resized. */
let resized: () => void;
let observed: Element[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame"] });
  observed = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized = callback;
      }
      observe = (element: Element) => void observed.push(element);
      disconnect = () => void (observed = []);
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("tells of a new size in the next frame, once, and not within the observer's call", () => {
  const told = vi.fn<() => void>();
  observeSize(document.body, told);
  expect(observed).toEqual([document.body]);
  resized();
  resized();
  expect(told).not.toHaveBeenCalled();
  vi.advanceTimersToNextFrame();
  expect(told).toHaveBeenCalledTimes(1);
  resized();
  vi.advanceTimersToNextFrame();
  expect(told).toHaveBeenCalledTimes(2);
});

it("tells nothing once it is stopped", () => {
  const told = vi.fn<() => void>();
  const stop = observeSize(document.body, told);
  resized();
  stop();
  vi.advanceTimersToNextFrame();
  expect([told.mock.calls, observed]).toEqual([[], []]);
});
