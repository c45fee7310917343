import { Store } from "~/store";

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

const current = new Store<CurrentJob | undefined>(() => undefined);

export const currentJob = current.get;

/** True if this tab has an unfinished job; there is room for one. */
export function isJobOpen(): boolean {
  const status = current.get()?.job?.get().status;
  return status === "running" || status === "paused";
}

export const setCurrentJob = current.set;
export const subscribeCurrentJob = current.subscribe;

/** True if there is a job to show: the current one, or one from before this page was loaded. */
export function hasJob(): boolean {
  try {
    return current.get() !== undefined || sessionStorage.getItem(JOB_KEY) !== null;
  } catch {
    return false;
  }
}
