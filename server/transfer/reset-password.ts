import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";

import { readConfig } from "../config";
import { createLog } from "../log";
import { createPost } from "../mail/post";
import { isMigrated } from "../store/migrate";
import { runCommand, say, UsageError } from "./command";
import { openExisting } from "./existing";
import { resetPassword } from "../oidc/password-reset";

const USAGE = `npm run reset-password -- --email <email>
Replaces the password of an account, ends its sessions, and prints the new password on standard output, once.
Uses the service's database: DATA_DIR (stop the service first) or DATABASE_URL.`;

function emailOption(): string {
  try {
    const { email } = parseArgs({ options: { email: { type: "string" } } }).values;
    if (email !== undefined && email !== "") return email;
  } catch {
    // Falls through to the usage error.
  }
  throw new UsageError(USAGE);
}

await runCommand("Nothing was changed:", async () => {
  const email = emailOption();
  const config = readConfig(process.env);
  const database = await openExisting(config, "resetting a password");
  try {
    if (!(await isMigrated(database)))
      throw new Error("the database has the schema of another version: start this version once before");
    const arrival = { requestId: randomUUID(), address: "", transport: "command" } as const;
    // The service sends it.
    const mail = config.mail && createPost(() => {});
    const recorder = { config, database, log: createLog("silent"), mail };
    const password = await resetPassword(recorder, email, arrival);
    if (password === undefined) throw new Error(`no account has the email ${email}`);
    process.stdout.write(`${password}\n`);
    say(`The new password of ${email} is above. Ask them to change it in their account menu.`);
  } finally {
    await database.close();
  }
});
