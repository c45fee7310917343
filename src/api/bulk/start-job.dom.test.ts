import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { roleBindings } from "platform-contract/iam/role-bindings";
import { FakeBrowser } from "~/auth/testing/fake-browser";
import { itemsOf, PLAN } from "../testing/bulk-fixture";
import { connect } from "../client/client";
import { deletionPlan } from "./deletion";
import { currentJob, hasJob, JOB_KEY, setCurrentJob } from "./current-job";
import { isJobOpen } from "./current-job";
import { lockJob, restoreJob } from "./start-job";
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

it("says why with every request after a reload, too", async () => {
  const sent: unknown[] = [];
  connect({
    baseUrl: "https://api.example",
    token: async () => "t",
    onUnauthenticated: () => undefined,
    changeJustifications: true,
  });
  vi.stubGlobal("fetch", async (_url: string, { method, headers }: RequestInit) => {
    if (method === "DELETE") sent.push(Object(headers)["change-justification"]);
    return Response.json({});
  });
  const plan = deletionPlan(roleBindings, { one: "role binding", many: "role bindings" });
  store({ ...plan, justification: "Left, ticket 12" });
  restore();
  await vi.advanceTimersByTimeAsync(0);
  currentJob()?.job?.resume();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(currentJob()?.job?.get().counts.done).toBe(3);
  expect(sent).toEqual(Array.from({ length: 3 }, () => "Left%2C%20ticket%2012"));
  currentJob()?.close();
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

it("waits longer where the page that is being reloaded takes long to go, and claims nothing meanwhile", async () => {
  const release = await lockJob(store().id);
  restore();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(currentJob()).toBeUndefined();
  release?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(currentJob()?.job).toBeDefined();
});

/** A tab that runs the job: it answers who asks. */
const runningTab = (id: string) => {
  const channel = new BroadcastChannel("pc.bulk-job");
  channel.addEventListener("message", ({ data }: MessageEvent<{ is: string }>) => {
    if (data.is === "asked") channel.postMessage({ is: "running", id });
  });
  return channel;
};

it("does not run a job of another tab, drops its outdated copy, and says so until the other tab is done", async () => {
  const { id } = store();
  const release = await lockJob(id);
  const other = runningTab(id);
  restore();
  await vi.waitFor(() => expect(currentJob()).toMatchObject({ job: undefined, count: 3 }));
  expect(isJobOpen()).toBe(false);
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith(JOB_KEY))).toEqual([]);
  other.postMessage({ is: "over", id });
  await vi.waitFor(() => expect(hasJob()).toBe(false));
  release?.();
  other.close();
});

it("says nothing of a job of another tab once that tab is closed", async () => {
  const { id } = store();
  const release = await lockJob(id);
  const other = runningTab(id);
  restore();
  await vi.waitFor(() => expect(currentJob()).toMatchObject({ job: undefined }));
  release?.();
  await vi.waitFor(() => expect(hasJob()).toBe(false));
  other.close();
});

it("tells other tabs that it runs its job, and no more once it is closed", async () => {
  const { id } = store();
  restore();
  await vi.advanceTimersByTimeAsync(0);
  const heard: string[] = [];
  const other = new BroadcastChannel("pc.bulk-job");
  other.addEventListener("message", ({ data }: MessageEvent<{ is: string }>) => heard.push(data.is));
  other.postMessage({ is: "asked", id });
  await vi.waitFor(() => expect(heard).toEqual(["running"]));
  currentJob()?.close();
  other.postMessage({ is: "asked", id });
  // Whatever answered would have done so before another page hears this.
  const last = new BroadcastChannel("pc.bulk-job");
  last.postMessage({ is: "last" });
  await vi.waitFor(() => expect(heard).toEqual(["running", "last"]));
  for (const channel of [other, last]) channel.close();
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
