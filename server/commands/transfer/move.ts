import { parseArgs } from "node:util";

import { readConfig } from "../../config";
import { missingMigrations } from "../../platform/store/migrate";
import { openExisting } from "../../platform/store/open";
import { createCommand, say, UsageError } from "./command";
import { readdress, type Moved } from "./readdress";

const USAGE = `platform-console move --public-url <address> [--dry-run]
Changes the public address of an installation: of the people who sign in here and everything that refers to them.
PUBLIC_URL is the address until now; set it to the new one afterwards. Uses DATA_DIR or DATABASE_URL. Stop the service first.
  --dry-run   says what would change, and changes nothing`;

function readOptions(args: readonly string[]): { publicUrl: string; dryRun: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { "public-url": { type: "string" }, "dry-run": { type: "boolean" } },
    });
    const publicUrl = values["public-url"];
    if (publicUrl !== undefined && publicUrl !== "") return { publicUrl, dryRun: values["dry-run"] ?? false };
  } catch {
    // Falls through to the usage error.
  }
  throw new UsageError();
}

const number = (n: number): string => n.toLocaleString("en-US");

/** What stops working, if anything does. */
function passkeysSentence({ count, owners }: Moved["passkeys"]): string | undefined {
  if (count === 0) return undefined;
  const [passkeys, people] = [count === 1 ? "passkey" : "passkeys", owners === 1 ? "person" : "people"];
  return `${number(count)} ${passkeys} of ${number(owners)} ${people} will not work at the new host: they need an authenticator app or a recovery code.`;
}

function tell({ people, machines, references, organizations, passkeys }: Moved): void {
  const lines = [
    `  people of its provider       ${number(people)}`,
    `  machines that match them     ${number(machines)}`,
    ...[...references].map(([table, n]) => `  ${table.padEnd(28)} ${number(n)}`),
    `  logs of organizations        ${number(organizations)}`,
  ];
  say(lines.join("\n"));
  const sentence = passkeysSentence(passkeys);
  if (sentence !== undefined) say(sentence);
}

export const command = createCommand({ usage: USAGE, failed: "Nothing was changed:" }, async (args) => {
  const { publicUrl, dryRun } = readOptions(args);
  const before = readConfig(process.env);
  // The same rules as for a start with that address.
  const after = readConfig({ ...process.env, PUBLIC_URL: publicUrl });
  if (before.issuer === after.issuer) throw new Error(`${publicUrl} is the address already`);
  const database = await openExisting(before, "moving");
  try {
    if ((await missingMigrations(database)).length > 0)
      throw new Error("the database has the schema of another version: start this version once before");
    tell(await readdress(database, before.issuer, after.issuer, { dryRun }));
  } finally {
    await database.close();
  }
  say(
    dryRun
      ? `Nothing was changed. This is what would change from ${before.publicUrl} to ${after.publicUrl}.`
      : `Moved from ${before.publicUrl} to ${after.publicUrl}. Set PUBLIC_URL to it before the next start. Everybody signs in again.`,
  );
});
