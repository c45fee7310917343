import { randomBytes } from "node:crypto";

import type { Database } from "../store/database";
import { checkPassword, createAccount, findAccountByEmail, setPassword } from "./accounts";
import type { Recorder } from "./sign-in-log";

/**
 * Ensures that the operator's account exists. If the given password differs from the stored one, replaces it and ends
 * all sessions of the account. If there is neither an account nor a given password, generates one and returns it as
 * `password`, this once.
 */
export async function ensureAdmin(
  recorder: Recorder & { readonly database: Database },
  admin: {
    readonly email: string;
    readonly password?: string | undefined;
    readonly name?: string | undefined;
    readonly subject?: string | undefined;
  },
): Promise<{ subject: string; password?: string }> {
  const { database } = recorder;
  const known = await findAccountByEmail(database, admin.email);
  if (!known) {
    const password = admin.password ?? randomBytes(15).toString("base64url");
    const { subject } = await createAccount(recorder, { ...admin, password });
    return admin.password === undefined ? { subject, password } : { subject };
  }
  const { subject } = known;
  if (admin.password !== undefined && !(await checkPassword(database, admin.email, admin.password)))
    await setPassword(recorder, { act: "password.reset", subject, byOperator: true }, admin.password);
  return { subject };
}
