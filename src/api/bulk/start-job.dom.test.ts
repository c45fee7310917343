import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { FakeBrowser } from "~/auth/testing/fake-browser";
import { itemsOf, PLAN } from "../testing/bulk-fixture";
import { currentJob, hasJob, JOB_KEY, setCurrentJob } from "./current-job";
import { isJobOpen, lockJob, restoreJob } from "./start-job";
import { storeJob } from "./storage";

let locks: LockManager;
const restore = () => restoreJob({ client: new QueryClient(), owner: "ada" });
const store = (plan = PLAN) => storeJob(`ada ${document.baseURI}`, plan, itemsOf(3));

beforeEach(() => {
  vi.useFakeTimers();
  locks = new FakeBrowser().locks as LockManager;
  vi.stubGlobal("navigator", { locks });
});
afterEach(() => {
  setCurrentJob(undefined);
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("restores a job paused, and gives up its lock when it is closed", async () => {
  const { id } = store();
  expect(hasJob()).toBe(true);
  restore();
  await vi.advanceTimersByTimeAsync(0);
  expect(currentJob()).toMatchObject({ restored: true, count: 3 });
  expect(currentJob()?.job?.get().status).toBe("paused");
  expect(isJobOpen()).toBe(true);
  currentJob()?.close();
  expect(hasJob()).toBe(false);
  expect(await lockJob(id)).toBeDefined();
});

it("waits for the lock of the page that is being reloaded", async () => {
  const release = await lockJob(store().id);
  restore();
  await vi.advanceTimersByTimeAsync(500);
  expect(currentJob()).toBeUndefined();
  release?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(currentJob()?.job).toBeDefined();
});

it("does not run a job of another tab, and drops its outdated copy", async () => {
  await lockJob(store().id);
  restore();
  await vi.advanceTimersByTimeAsync(5000);
  expect(currentJob()).toMatchObject({ job: undefined, count: 3 });
  expect(isJobOpen()).toBe(false);
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith(JOB_KEY))).toEqual([]);
  currentJob()?.close();
  expect(hasJob()).toBe(false);
});

it("does not take the lock if it was stopped meanwhile", async () => {
  const { id } = store();
  restore()();
  await vi.advanceTimersByTimeAsync(0);
  expect(currentJob()).toBeUndefined();
  expect(await lockJob(id)).toBeDefined();
});

it("forgets a job whose action this version does not have", async () => {
  store({ ...PLAN, action: "unknown" });
  restore();
  await vi.advanceTimersByTimeAsync(0);
  expect(hasJob()).toBe(false);
});

it("shows a job only to the user who started it", async () => {
  store();
  restoreJob({ client: new QueryClient(), owner: "eve" });
  await vi.advanceTimersByTimeAsync(0);
  expect(hasJob()).toBe(false);
});
