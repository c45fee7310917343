import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { useRepeated } from "./use-repeated";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("repeats although it is rendered more often, with the newest work, and never twice at once", async () => {
  const done: number[] = [];
  let finish = (): void => undefined;
  const work = (index: number) => () => {
    done.push(index);
    return new Promise<void>((resolve) => (finish = resolve));
  };
  const { rerender, unmount } = renderHook(({ index, active }) => useRepeated(active, 2_000, work(index)), {
    initialProps: { index: 0, active: true },
  });
  for (let index = 1; index <= 5; index += 1) {
    vi.advanceTimersByTime(500);
    rerender({ index, active: true });
  }
  expect(done).toEqual([3]);
  vi.advanceTimersByTime(10_000);
  expect(done).toEqual([3]);
  finish();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(done).toEqual([3, 5]);
  rerender({ index: 6, active: false });
  finish();
  await vi.advanceTimersByTimeAsync(10_000);
  unmount();
  expect(done).toEqual([3, 5]);
});
