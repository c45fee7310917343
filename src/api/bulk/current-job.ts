import type { BulkJob } from "./bulk-job";
import type { JobPlan } from "./storage";

/** The sessionStorage key under which this tab's job is stored. */
export const JOB_KEY = "pc.bulk-job";

/** The one job of this tab. */
export interface CurrentJob {
  readonly id: string;
  readonly plan: JobPlan;
  /** Undefined if another tab runs it. */
  readonly job: BulkJob | undefined;
  readonly count: number;
  /** True if it was started before this page was loaded. */
  readonly restored: boolean;
  close(): void;
}

let current: CurrentJob | undefined;
const listeners = new Set<() => void>();

export const currentJob = (): CurrentJob | undefined => current;

/** True if this tab has an unfinished job; there is room for one. */
export function isJobOpen(): boolean {
  const status = current?.job?.get().status;
  return status === "running" || status === "paused";
}

export function setCurrentJob(next: CurrentJob | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

export function subscribeCurrentJob(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True if there is a job to show: the current one, or one from before this page was loaded. */
export function hasJob(): boolean {
  try {
    return current !== undefined || sessionStorage.getItem(JOB_KEY) !== null;
  } catch {
    return false;
  }
}
