import { afterEach, expect, test, vi } from "vitest";

import { everyMinute } from "./minutely";

afterEach(() => {
  vi.useRealTimers();
});

test("what was added is written within a minute, what fails is kept, and a stop writes the rest", async () => {
  vi.useFakeTimers();
  let memory: number[] = [];
  const written: number[] = [];
  let isBroken = true;
  const warn = vi.fn<(fields: unknown, message: string) => void>();
  const minutely = everyMinute<number>({
    begin: async () => {},
    take: () => memory.splice(0),
    write: async (part) => {
      if (isBroken) throw new Error("no database");
      written.push(part);
    },
    keep: (parts) => {
      memory = [...parts, ...memory];
    },
    tidy: async () => {},
    log: { warn } as never,
    failed: "not counted",
  });
  memory.push(1, 2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(warn).toHaveBeenCalledWith({ err: new Error("no database") }, "not counted");
  expect([memory, written]).toEqual([[1, 2], []]);
  isBroken = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toContain(1);
  await minutely.flush();
  expect(written).toEqual([1, 2]);
  memory.push(3);
  await minutely.stop();
  expect(written).toEqual([1, 2, 3]);
});
