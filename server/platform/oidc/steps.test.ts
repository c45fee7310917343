import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";

import { inSteps, STEP_MS } from "./steps";

test("work ends whole steps after it began, also if it throws", async () => {
  const taken = async (work: () => Promise<unknown>) => {
    const begin = performance.now();
    await inSteps(work).catch(() => {});
    // Timers may fire a moment early.
    return performance.now() - begin + 2;
  };
  expect(await taken(async () => {})).toBeGreaterThanOrEqual(STEP_MS);
  expect(await taken(() => pause(STEP_MS / 2))).toBeGreaterThanOrEqual(STEP_MS);
  expect(await taken(() => pause(STEP_MS + 1))).toBeGreaterThanOrEqual(2 * STEP_MS);
  expect(await taken(() => Promise.reject(new Error("no room")))).toBeGreaterThanOrEqual(STEP_MS);
  expect(await inSteps(async () => "found")).toBe("found");
});
