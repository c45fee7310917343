import { setTimeout as pause } from "node:timers/promises";

/** Far longer than writing the entries of a refusal in twenty logs takes, of which an unknown account has one. */
export const STEP_MS = 200;

/** Runs `work`, and ends whole steps after it began, also if it throws: how long it took tells nobody what it found. */
export async function inSteps<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    const taken = performance.now() - begun;
    await pause(Math.ceil(taken / STEP_MS) * STEP_MS - taken);
  }
}
