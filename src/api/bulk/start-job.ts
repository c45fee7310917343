import type { QueryClient } from "@tanstack/react-query";

import { timeoutSignal } from "~/auth/timeout";

import { accessChanges } from "./access-changes";
import { BulkJob, type BulkWork, type Target } from "./bulk-job";
import { creations } from "./creations";
import { currentJob, setCurrentJob } from "./current-job";
import { deletion } from "./deletion";
import { migrations } from "./migrations";
import { findJob, storeJob, type JobPlan, type StoredJob } from "./storage";
import { deletions, teardown } from "./teardown";
import { unchangedDeletions } from "./unchanged-deletions";
import { updates } from "./updates";

/** The actions of jobs, by the name under which a plan stores them. */
const ACTIONS: Readonly<Record<string, ((client: QueryClient, data: never) => BulkWork) | undefined>> = {
  delete: deletion,
  "delete-unchanged": unchangedDeletions,
  teardown,
  deletions,
  update: updates,
  "access-changes": accessChanges,
  create: creations,
  migrate: migrations,
};

interface Context {
  readonly client: QueryClient;
  /** The user who starts or restores a job. */
  readonly owner: string;
}

/** A console at another path of the same host has another API but the same storage. */
const ownerHere = ({ owner }: Context): string => `${owner} ${document.baseURI}`;

/** Milliseconds within which a reloading page releases its lock; after that, another tab holds it. */
const HANDOVER_TIMEOUT_MS = 2000;

/**
 * Takes the lock of a job, so that a duplicated tab cannot run it too. Resolves to a function that releases it, or to
 * undefined if another tab holds it. The browser releases it when the tab is closed, left or crashes.
 */
export function lockJob(id: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const hold = () => new Promise<void>((release) => resolve(release));
    navigator.locks
      .request(`pc.bulk-job ${id}`, { signal: timeoutSignal(HANDOVER_TIMEOUT_MS) }, hold)
      .catch(() => resolve(undefined));
  });
}

/** True if this tab has an unfinished job; there is room for one. */
export function isJobOpen(): boolean {
  const status = currentJob()?.job?.get().status;
  return status === "running" || status === "paused";
}

/** Starts a job as this tab's current one. */
export function startJob(context: Context, plan: JobPlan, targets: readonly Target[]): void {
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
  if (!stored) setCurrentJob(undefined);
  else
    void lockJob(stored.id).then((release) => {
      if (stopped.signal.aborted || currentJob()) release?.();
      else if (release) open(context, stored, { restored: true, release });
      else showElsewhere(stored);
    });
  return () => stopped.abort();
}

interface Opening {
  readonly restored: boolean;
  readonly release: () => void;
}

function open({ client }: Context, stored: StoredJob, { restored, release }: Opening): void {
  const { id, plan, items, storage } = stored;
  const close = (): void => {
    storage.clear();
    release();
    setCurrentJob(undefined);
  };
  // Another version of the console may have stored it.
  const work = ACTIONS[plan.action]?.(client, plan.data as never);
  if (!work) return close();
  const job = new BulkJob(items, work, storage);
  setCurrentJob({ id, plan, job, count: items.length, restored, close });
}

/** This tab is a duplicate. Drops its copy, because the other tab sends what is still queued here. */
function showElsewhere({ id, plan, items, storage }: StoredJob): void {
  storage.clear();
  const close = () => setCurrentJob(undefined);
  setCurrentJob({ id, plan, job: undefined, count: items.length, restored: true, close });
}
