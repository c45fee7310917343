import type { Command } from "../../command-line";
import { ConfigError, readConfig } from "../../config";
import { migrate } from "../../platform/store/migrate";
import { openDatabase } from "../../platform/store/open";
import { ensureBuiltInRoles } from "../../domains/access/roles.table";
import { progressOn } from "./progress";
import { seedScale } from "./scale";
import { readOptions, USAGE } from "./scale-options";

const progress = progressOn(process.stderr);

async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const config = readConfig(process.env);
  const begin = performance.now();
  const database = await openDatabase(config);
  try {
    await migrate(database);
    await ensureBuiltInRoles(database);
    const accounts = await seedScale(config, database, options, progress);
    progress.say(
      `Done after ${((performance.now() - begin) / 1_000).toFixed(1)} s. Sign in at ${config.publicUrl}/ as:`,
    );
    for (const { email, password, why } of accounts)
      progress.say(`  ${email}  ${password ?? "(password unchanged)"}  ${why}`);
  } finally {
    await database.close();
  }
}

export const command: Command = {
  usage: USAGE,
  async run(args) {
    try {
      await run(args);
    } catch (error) {
      // Prints a sentence for expected errors, and the stack otherwise.
      const isWrong = error instanceof ConfigError;
      const expected = isWrong || /is in use by/.test(String(error));
      const text =
        error instanceof Error ? ((expected ? undefined : error.stack) ?? error.message) : String(error);
      const hint = isWrong ? "\n\nOptions: platform-console seed --help" : "";
      progress.say(`The seed stopped.\n${text}${hint}`);
      process.exitCode = 1;
    }
  },
};
