import { expect, test, vi } from "vitest";

import { createSteps } from "./background";
import { createLog } from "./log";

test("a failure is logged when it begins, now and then, and when it is over", async () => {
  const lines: { level: number; step: string; failures: number }[] = [];
  const log = createLog("info", {
    write: (line) => {
      const { level, step, failures } = JSON.parse(line) as (typeof lines)[number];
      lines.push({ level, step, failures });
    },
  });
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const run = createSteps(log);
  const fails = () => Promise.reject(new Error("deliberate"));
  const works = () => Promise.resolve();
  try {
    expect(await run("one", works)).toBe(true);
    for (now of [0, 1_000, 2_000, 250_000, 251_000]) expect(await run("one", fails)).toBe(false);
    expect(await run("other", fails)).toBe(false);
    for (now of [252_000, 253_000]) expect(await run("one", works)).toBe(true);
  } finally {
    vi.restoreAllMocks();
  }
  expect(lines).toEqual([
    { level: 50, step: "one", failures: 1 },
    { level: 50, step: "one", failures: 4 },
    { level: 50, step: "other", failures: 1 },
    { level: 30, step: "one", failures: 5 },
  ]);
});
