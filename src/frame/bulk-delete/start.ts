import type { startJob } from "~/api/bulk/start-job";

import { loadParts } from "./load-parts";

/** Starts a job from a screen that doesn't load the code of jobs before. */
export const startLater = (...job: Parameters<typeof startJob>): void =>
  void loadParts().then((parts) => parts.startJob(...job));
