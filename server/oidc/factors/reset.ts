import type { Config } from "../../config";
import type { Log } from "../../log";
import type { Post } from "../../mail/post";
import type { Database } from "../../store/database";
import { findAccountByEmail } from "../accounts";
import { endSessions } from "../sessions";
import { logAct } from "../sign-in-log";
import { tellOwner } from "./notices";
import { deleteFactors } from "./stored";

/**
 * Removes the second factors and recovery codes of an account whose owner lost them, and ends all of its sessions.
 * @returns how many factors there were; undefined if no account has the email
 */
export async function resetFactors(
  recorder: {
    readonly config: Config;
    readonly database: Database;
    readonly log: Log;
    readonly mail?: Post | undefined;
  },
  email: string,
  arrival: Parameters<typeof logAct>[1],
): Promise<number | undefined> {
  const account = await findAccountByEmail(recorder.database, email);
  if (!account) return undefined;
  const { subject } = account;
  const count = await recorder.database.transaction(async (queries) => {
    await endSessions(queries, subject);
    const removed = await deleteFactors(queries, subject);
    await tellOwner(queries, { mail: recorder.mail, from: undefined }, subject, { change: "reset" });
    return removed;
  });
  recorder.mail?.wake();
  await logAct(recorder, arrival, { act: "secondFactor.reset", subject, byOperator: true });
  return count;
}
