import { open, rename, rm, stat } from "node:fs/promises";
import type { Writable } from "node:stream";

import { readConfig } from "../../config";
import { fileOption, progressLines, runCommand, say } from "./command";
import { openExisting } from "./existing";
import { writeExport } from "./write";

const USAGE = `npm run export -- --to <file>
Writes all data of the service to one file; "-" is standard output (then: npm run --silent export -- --to -).
Uses the service's database: DATA_DIR or DATABASE_URL.`;

/** Writes to a temporary name and renames when complete; only the owner can read the file. */
async function toFile(path: string, write: (target: Writable) => Promise<void>): Promise<void> {
  if (await stat(path).catch(() => undefined)) throw Object.assign(new Error(), { code: "EEXIST" });
  const unfinished = `${path}.part`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await write(handle.createWriteStream({ flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

await runCommand({ usage: USAGE, failed: "Nothing was exported:" }, async (told) => {
  const path = fileOption("to");
  told.file = path;
  if (path === "-" && process.stdout.isTTY)
    throw new Error("an export cannot be written to a terminal: name a file");
  const database = await openExisting(readConfig(process.env), "exporting");
  try {
    const write = (target: Writable) => writeExport(database, target, progressLines());
    await (path === "-" ? write(process.stdout) : toFile(path, write));
  } finally {
    await database.close();
  }
  say(
    `Exported${path === "-" ? "" : ` to ${path}`}. It contains password hashes and token signing keys: protect it accordingly. Client secrets of identity providers are not included; enter them again after an import. Idempotency keys and mails that wait are not included either: docs/operate says what a restore can repeat.`,
  );
});
