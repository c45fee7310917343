import type { Writable } from "node:stream";

import { readConfig } from "../../config";
import { createCommand, fileOption, progressLines, say } from "./command";
import { openToRead } from "../../platform/store/open";
import { writeWhole } from "./whole-file";
import { writeExport } from "./write";

const USAGE = `platform-console export --to <file>
Writes all data of the service to one file; "-" is standard output.
Uses the database of DATA_DIR or DATABASE_URL, also while the service runs.`;

export const command = createCommand(
  { usage: USAGE, failed: "Nothing was exported:" },
  async (args, told) => {
    const path = fileOption(args, "to");
    told.file = path;
    if (path === "-" && process.stdout.isTTY)
      throw new Error("an export cannot be written to a terminal: name a file");
    const database = await openToRead(readConfig(process.env), "exporting");
    try {
      const write = (target: Writable) => writeExport(database, target, progressLines());
      await (path === "-" ? write(process.stdout) : writeWhole(path, write));
    } finally {
      await database.close();
    }
    say(
      `Exported${path === "-" ? "" : ` to ${path}`}. It contains password hashes and token signing keys: protect it accordingly. Client secrets of identity providers are not included; enter them again after an import. Idempotency keys and mails that wait are not included either: docs/operate/backups.md says what a restore can repeat.`,
    );
  },
);
