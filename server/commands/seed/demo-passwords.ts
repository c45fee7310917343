import { randomBytes } from "node:crypto";

import type { Config } from "../../config";
import { DEMO_PASSWORD, demoPeople } from "../../demo";
import { checkPassword, setPassword } from "../../platform/oidc/accounts";
import { seededAccounts } from "./seed.table";
import type { Database } from "../../platform/store/database";

export interface NewPassword {
  readonly email: string;
  readonly password: string;
}

/**
 * If the service is reachable from outside this machine, replaces the password of every account that still has the demo
 * password and ends its sessions: a data directory from a trial may go public later.
 * @returns the new passwords, to be reported once
 */
export async function replaceDemoPasswords(config: Config, database: Database): Promise<NewPassword[]> {
  if (config.loopback) return [];
  const emails = demoPeople(config.adminEmail).map(({ email }) => email);
  const replaced: NewPassword[] = [];
  for (const { email } of await seededAccounts(database, emails)) {
    const account = await checkPassword(database, email, DEMO_PASSWORD);
    if (!account) continue;
    const password = randomBytes(15).toString("base64url");
    const done = { act: "password.reset", subject: account.subject, byOperator: true } as const;
    await setPassword({ config, database }, done, password);
    replaced.push({ email, password });
  }
  return replaced;
}
