import { randomBytes } from "node:crypto";

import type { Post } from "../mail/post";
import type { Arrival, Database } from "../store/database";
import { settled, wasRecorded } from "../store/settled";
import { findAccountByEmail, setPassword } from "./accounts";
import type { Recorder } from "./sign-in-log";

/**
 * Gives an account a new random password, for an operator to pass on, and ends all of its sessions.
 * @returns the password, this once; undefined if no account has the email
 */
export async function resetPassword(
  recorder: Recorder & { readonly database: Database; readonly mail?: Post | undefined },
  email: string,
  arrival: Arrival,
): Promise<string | undefined> {
  const account = await findAccountByEmail(recorder.database, email);
  if (!account) return undefined;
  const { subject } = account;
  const password = randomBytes(15).toString("base64url");
  const done = { act: "password.reset", subject, byOperator: true, arrival } as const;
  const found = { action: done.act, requestId: arrival.requestId };
  return settled(
    async () => {
      await setPassword(recorder, done, password, { mail: recorder.mail });
      return password;
    },
    async () => ((await wasRecorded(recorder.database, found)) ? password : undefined),
  );
}
