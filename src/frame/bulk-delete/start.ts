import type { startJob } from "~/api/bulk/start-job";

/** Starts a job from a screen that doesn't load the code of jobs before. */
export const startLater = (...job: Parameters<typeof startJob>): void =>
  void import("~/api/bulk/start-job").then(({ startJob }) => startJob(...job));
