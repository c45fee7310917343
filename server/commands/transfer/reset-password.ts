import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";

import { readConfig } from "../../config";
import { createLog } from "../../log";
import { createPost } from "../../platform/mail/post";
import { missingMigrations } from "../../platform/store/migrate";
import { createCommand, say, UsageError } from "./command";
import { openExisting } from "../../platform/store/open";
import { resetFactors } from "../../platform/oidc/factors/reset";
import { resetPassword } from "../../platform/oidc/password-reset";

const USAGE = `platform-console reset-password --email <email> [--second-factor]
Replaces the password of an account, ends its sessions, and prints the new password on standard output, once.
  --second-factor   removes the account's second factors and recovery codes instead; the password stays
Uses the database of DATA_DIR (stop the service first) or DATABASE_URL.`;

function readOptions(args: readonly string[]): { email: string; secondFactor: boolean } {
  try {
    const { email, "second-factor": secondFactor = false } = parseArgs({
      args: [...args],
      options: { email: { type: "string" }, "second-factor": { type: "boolean" } },
    }).values;
    if (email !== undefined && email !== "") return { email, secondFactor };
  } catch {
    // Falls through to the usage error.
  }
  throw new UsageError();
}

export const command = createCommand({ usage: USAGE, failed: "Nothing was changed:" }, async (args) => {
  const { email, secondFactor } = readOptions(args);
  const config = readConfig(process.env);
  const database = await openExisting(
    config,
    secondFactor ? "resetting second factors" : "resetting a password",
  );
  try {
    if ((await missingMigrations(database)).length > 0)
      throw new Error("the database has the schema of another version: start this version once before");
    const arrival = { requestId: randomUUID(), address: "", transport: "command" } as const;
    // The service sends it.
    const mail = config.mail && createPost(() => {});
    const recorder = { config, database, log: createLog("silent"), mail };
    if (secondFactor) {
      const count = await resetFactors(recorder, email, arrival);
      if (count === undefined) throw new Error(`no account has the email ${email}`);
      say(`${email} has no second factor any more (${count} removed), and is signed out everywhere.`);
      return;
    }
    const password = await resetPassword(recorder, email, arrival);
    if (password === undefined) throw new Error(`no account has the email ${email}`);
    process.stdout.write(`${password}\n`);
    say(`The new password of ${email} is above. Ask them to change it in their account menu.`);
  } finally {
    await database.close();
  }
});
