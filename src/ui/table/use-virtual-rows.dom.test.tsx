import { act, renderHook } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";

import { stubBrowser } from "../testing/render";
import { useVirtualRows } from "./use-virtual-rows";

beforeAll(stubBrowser);

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
