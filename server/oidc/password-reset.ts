import { randomBytes } from "node:crypto";

import type { Config } from "../config";
import type { Log } from "../log";
import type { Post } from "../mail/post";
import type { Database } from "../store/database";
import { findAccountByEmail, setPassword } from "./accounts";
import { logAct } from "./sign-in-log";

/**
 * Gives an account a new random password, for an operator to pass on, and ends all of its sessions.
 * @returns the password, this once; undefined if no account has the email
 */
export async function resetPassword(
  recorder: {
    readonly config: Config;
    readonly database: Database;
    readonly log: Log;
    readonly mail?: Post | undefined;
  },
  email: string,
  arrival: Parameters<typeof logAct>[1],
): Promise<string | undefined> {
  const account = await findAccountByEmail(recorder.database, email);
  if (!account) return undefined;
  const { subject } = account;
  const password = randomBytes(15).toString("base64url");
  await setPassword(recorder.database, subject, password, { mail: recorder.mail });
  await logAct(recorder, arrival, { act: "password.reset", subject, byOperator: true });
  return password;
}
