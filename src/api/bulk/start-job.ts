import type { QueryClient } from "@tanstack/react-query";

import { BulkJob, type BulkWork, type JobTarget } from "./bulk-job";
import { copies } from "./copies";
import { creations, recreations } from "./creations";
import { currentJob, setCurrentJob } from "./current-job";
import { deletion } from "./deletion";
import { migrations } from "./migrations";
import { offboarding } from "./offboarding";
import { planApplication } from "./plan-application";
import { findJob, storeJob, type JobPlan, type StoredJob } from "./storage";
import { deletions, teardown } from "./teardown";
import { unchangedDeletions } from "./unchanged-deletions";
import { updates } from "./updates";

type Action = (client: QueryClient, data: never, justification: string | undefined) => BulkWork;

/** The actions of jobs, by the name under which a plan stores them. */
const ACTIONS: Readonly<Record<string, Action | undefined>> = {
  delete: deletion,
  "delete-unchanged": unchangedDeletions,
  teardown,
  deletions,
  offboarding,
  update: updates,
  create: creations,
  copy: copies,
  recreate: recreations,
  migrate: migrations,
  apply: planApplication,
};

interface Context {
  readonly client: QueryClient;
  /** The user who starts or restores a job. */
  readonly owner: string;
}

/** A console at another path of the same host has another API but the same storage. */
const ownerHere = ({ owner }: Context): string => `${owner} ${document.baseURI}`;

/**
 * Takes the lock of a job, so that a duplicated tab cannot run it too. Waits while another page holds it; resolves to a
 * function that releases it, or to undefined if `signal` ended the wait. The browser releases it when the page is left,
 * closed or crashes.
 */
export function lockJob(id: string, signal?: AbortSignal): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const hold = () => new Promise<void>((release) => resolve(release));
    navigator.locks
      .request(`pc.bulk-job ${id}`, { ...(signal && { signal }) }, hold)
      .catch(() => resolve(undefined));
  });
}

/** What tabs tell each other about jobs. */
interface Message {
  readonly is: "asked" | "running" | "over";
  readonly id: string;
}
const CHANNEL = "pc.bulk-job";

/** Answers other tabs for as long as this page runs the job, and tells them when it is over. */
function answerFor(id: string, job: BulkJob): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const tell = (is: Message["is"]) => channel.postMessage({ is, id } satisfies Message);
  const isOver = () => job.get().status === "finished";
  let over = isOver();
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.id === id && data.is === "asked" && !isOver()) tell("running");
  });
  const stop = job.subscribe(() => {
    if (over !== isOver()) tell(over ? "running" : "over");
    over = isOver();
  });
  // A page that is being left runs nothing.
  const leave = () => channel.close();
  addEventListener("pagehide", leave, { once: true });
  return () => {
    stop();
    leave();
    removeEventListener("pagehide", leave);
  };
}

/** Starts a job as this tab's current one. */
export function startJob(context: Context, plan: JobPlan, targets: readonly JobTarget[]): void {
  currentJob()?.close();
  const items = targets.map((target) => ({ ...target, state: "queued" as const }));
  const stored = storeJob(ownerHere(context), plan, items);
  // The lock is free: no other tab knows the id yet.
  const lock = lockJob(stored.id);
  open(context, stored, { restored: false, release: () => void lock.then((release) => release?.()) });
  currentJob()?.job?.resume();
}

/** Opens the job that this tab had before the page was loaded, paused. Returns a function that cancels this. */
export function restoreJob(context: Context): () => void {
  const stopped = new AbortController();
  const stored = findJob(ownerHere(context));
  if (stored) void restore(context, stored, stopped.signal);
  else setCurrentJob(undefined);
  return () => stopped.abort();
}

/**
 * Waits for the lock. Whoever holds it is either this tab's page before its reload, which may take long to go, or the
 * tab that this one is a duplicate of: only a page that runs the job answers.
 */
async function restore(context: Context, stored: StoredJob, signal: AbortSignal): Promise<void> {
  const { id } = stored;
  const channel = new BroadcastChannel(CHANNEL);
  let elsewhere = false;
  const end = () => {
    if (currentJob()?.id === id && !currentJob()?.job) setCurrentJob(undefined);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.id !== id || signal.aborted) return;
    if (data.is === "over") end();
    if (data.is !== "running" || currentJob()) return;
    elsewhere = true;
    showElsewhere(stored);
  });
  channel.postMessage({ is: "asked", id } satisfies Message);
  const release = await lockJob(id, signal);
  channel.close();
  if (elsewhere) end();
  if (release && !elsewhere && !signal.aborted && !currentJob())
    open(context, stored, { restored: true, release });
  else release?.();
}

interface Opening {
  readonly restored: boolean;
  readonly release: () => void;
}

function open({ client }: Context, stored: StoredJob, { restored, release }: Opening): void {
  const { id, plan, items, storage } = stored;
  // Another version of the console may have stored it.
  const work = ACTIONS[plan.action]?.(client, plan.data as never, plan.justification);
  let stop: (() => void) | undefined;
  const close = (): void => {
    storage.clear();
    stop?.();
    release();
    setCurrentJob(undefined);
  };
  if (!work) return close();
  const job = new BulkJob(items, work, storage);
  stop = answerFor(id, job);
  setCurrentJob({ id, plan, job, count: items.length, restored, close });
}

/** This tab is a duplicate. Drops its copy, because the other tab sends what is still queued here. */
function showElsewhere({ id, plan, items, storage }: StoredJob): void {
  storage.clear();
  const close = () => setCurrentJob(undefined);
  setCurrentJob({ id, plan, job: undefined, count: items.length, restored: true, close });
}
