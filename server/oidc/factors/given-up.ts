import type { Config } from "../../config";
import type { Log } from "../../log";
import type { Database } from "../../store/database";
import type { SecondStep } from "../enter";
import { logLater } from "../sign-in-log";

/**
 * Logs sign-ins whose password was right and whose second factor did not follow in time: somebody may know a password
 * that is not theirs.
 */
export function logGivenUp(
  recorder: { readonly config: Config; readonly database: Database; readonly log: Log },
  steps: readonly { readonly payload: string }[],
): void {
  for (const { payload } of steps) {
    const { subject, arrival, done, proven } = JSON.parse(payload) as SecondStep;
    if (done || proven) continue;
    logLater(recorder, arrival, { act: "signIn.password", subject, reason: "SECOND_FACTOR_MISSING" });
  }
}
