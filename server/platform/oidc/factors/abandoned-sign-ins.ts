import { within, type Queries } from "../../store/database";
import type { SecondStep } from "../authentication";
import { logAct, type Recorder } from "../sign-in-log";

/**
 * Logs sign-ins whose password was right and whose second factor did not follow in time, in the transaction that forgets
 * them: somebody may know a password that is not theirs.
 */
export async function logAbandonedSignIns(
  { config, log }: Omit<Recorder, "database">,
  queries: Queries,
  steps: readonly { readonly payload: string }[],
): Promise<void> {
  const recorder = { config, database: within(queries), ...(log && { log }) };
  for (const { payload } of steps) {
    const { subject, arrival, done, proven }: SecondStep = JSON.parse(payload);
    if (done || proven) continue;
    await logAct(recorder, arrival, { act: "signIn.password", subject, reason: "SECOND_FACTOR_MISSING" });
  }
}
