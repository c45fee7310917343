import { act, renderHook } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";

import { stubBrowser } from "../testing/render";
import { useVirtualRows } from "./use-virtual-rows";

beforeAll(stubBrowser);
beforeEach(() => localStorage.clear());

it("reaches every row of a list that is longer than a browser scrolls", () => {
  const element = document.createElement("div");
  Object.defineProperty(element, "clientHeight", { value: 840 });
  const options = {
    scroller: { current: element },
    count: 1_000_000,
    rowHeight: 40,
    headerHeight: 40,
    kept: -1,
  };
  const { result, rerender } = renderHook(
    (change: { count?: number }) => useVirtualRows({ ...options, ...change }),
    {
      initialProps: {},
    },
  );
  expect(result.current.height).toBe(15_000_000);
  act(() => result.current.track.moveTo(500_000));
  expect(result.current.track.place()).toBe(500_000);
  expect(result.current.first).toBe(500_000);
  // The row is at the position of the scroll bar.
  expect(500_000 * 40 - result.current.shift).toBe(element.scrollTop);
  expect(element.scrollTop).toBeLessThan(15_000_000);

  // Scrolling to the end of the scroll bar's range: the next rows move into the range, the row stays in view.
  element.scrollTop = 15_000_000 - 800;
  const end = result.current.track.place();
  act(() => result.current.track.settle());
  expect(result.current.track.place()).toBe(end);
  expect(element.scrollTop).toBeLessThan(14_000_000);
  expect(end * 40 - result.current.shift).toBe(element.scrollTop);

  rerender({ count: 100 });
  expect([result.current.height, result.current.shift]).toEqual([4_000, 0]);
});

it("renders after the call of the observer that tells a new height, also while it scrolls", () => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame"] });
  let resized = () => {};
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  let height = 440;
  const element = document.createElement("div");
  Object.defineProperty(element, "clientHeight", { get: () => height });
  const scroller = { current: element };
  const { result } = renderHook(() =>
    useVirtualRows({ scroller, count: 1_000, rowHeight: 40, headerHeight: 40, kept: -1 }),
  );
  act(() => {
    element.scrollTop = 4_000;
    element.dispatchEvent(new Event("scroll"));
  });
  expect([result.current.first, result.current.visible]).toEqual([100, 10]);
  height = 840;
  act(() => {
    resized();
    // Here the browser still looks for further changes of what is observed.
    expect(result.current.visible).toBe(10);
    vi.advanceTimersToNextFrame();
  });
  expect(result.current.visible).toBe(20);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("begins with the size of the last list in this window, without measuring", () => {
  localStorage.setItem("pc.list-size", JSON.stringify([innerWidth, innerHeight, 1000, 440]));
  const element = document.createElement("div");
  const height = vi.fn(() => 840);
  Object.defineProperty(element, "clientHeight", { get: height });
  const scroller = { current: element };
  const { result } = renderHook(() =>
    useVirtualRows({ scroller, count: 1_000, rowHeight: 40, headerHeight: 40, kept: -1 }),
  );
  expect(result.current.visible).toBe(10);
  expect(height).not.toHaveBeenCalled();
});

it("reads no position before it has scrolled, and notes no size of what is beside the page's list", () => {
  const element = document.createElement("div");
  const read = vi.fn(() => 0);
  Object.defineProperty(element, "clientHeight", { value: 200 });
  Object.defineProperty(element, "clientWidth", { value: 240 });
  Object.defineProperty(element, "scrollTop", { get: read, set: () => {} });
  const options = { scroller: { current: element }, count: 50, rowHeight: 40, headerHeight: 0, kept: -1 };
  const beside = renderHook(() => useVirtualRows({ ...options, ofPage: false }));
  expect(localStorage.getItem("pc.list-size")).toBeNull();
  expect(beside.result.current.track.place()).toBe(0);
  expect(read).not.toHaveBeenCalled();
  element.dispatchEvent(new Event("scroll"));
  expect(read).toHaveBeenCalled();
  beside.unmount();
  renderHook(() => useVirtualRows(options));
  expect(localStorage.getItem("pc.list-size")).not.toBeNull();
});
