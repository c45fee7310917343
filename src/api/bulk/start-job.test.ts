import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { FakeBrowser } from "~/auth/testing/fake-browser";
import { lockJob } from "./start-job";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("lets one tab run a job, and tells a duplicate that it cannot", async () => {
  const { locks } = new FakeBrowser();
  const release = await lockJob("job", locks);
  expect(release).toBeDefined();
  expect(await lockJob("another job", locks)).toBeDefined();
  const duplicate = lockJob("job", locks);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await duplicate).toBeUndefined();
});

it("waits for the page that is being reloaded", async () => {
  const { locks } = new FakeBrowser();
  const release = await lockJob("job", locks);
  const reloaded = lockJob("job", locks);
  await vi.advanceTimersByTimeAsync(500);
  release?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(await reloaded).toBeDefined();
});
