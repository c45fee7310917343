import type { Post } from "../../mail/post";
import type { Arrival, Database } from "../../store/database";
import { settled, wasRecorded } from "../../store/settled";
import { findAccountByEmail } from "../accounts";
import { endSessions } from "../sessions";
import { recordAct, type Recorder } from "../sign-in-log";
import { tellOwner } from "./notices";
import { deleteFactors } from "./factors.table";

/**
 * Removes the second factors and recovery codes of an account whose owner lost them, and ends all of its sessions.
 * @returns how many factors there were; undefined if no account has the email
 */
export async function resetFactors(
  recorder: Recorder & { readonly database: Database; readonly mail?: Post | undefined },
  email: string,
  arrival: Arrival,
): Promise<number | undefined> {
  const account = await findAccountByEmail(recorder.database, email);
  if (!account) return undefined;
  const { subject } = account;
  const done = { act: "secondFactor.reset", subject, byOperator: true } as const;
  const found = { action: done.act, requestId: arrival.requestId };
  let removed = 0;
  const count = await settled(
    () =>
      recordAct(recorder, arrival, done, async (queries) => {
        await endSessions(queries, subject);
        removed = await deleteFactors(queries, subject);
        await tellOwner(queries, { mail: recorder.mail, from: undefined }, subject, { change: "reset" });
        return removed;
      }),
    async () => ((await wasRecorded(recorder.database, found)) ? removed : undefined),
  );
  recorder.mail?.wake();
  return count;
}
