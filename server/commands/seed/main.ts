import { ConfigError, readConfig } from "../../config";
import { migrate } from "../../platform/store/migrate";
import { openDatabase } from "../../platform/store/open";
import { ensureBuiltInRoles } from "../../domains/access/roles.table";
import { progressOn } from "./progress";
import { seedScale } from "./scale";
import { readOptions, USAGE } from "./scale-options";

const progress = progressOn(process.stderr);

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return void process.stdout.write(`${USAGE}\n`);
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

try {
  await run();
} catch (error) {
  // Prints a sentence for expected errors, and the stack otherwise.
  const expected = error instanceof ConfigError || /is in use by/.test(String(error));
  const text =
    error instanceof Error ? ((expected ? undefined : error.stack) ?? error.message) : String(error);
  progress.say(
    `The seed stopped.\n${text}${error instanceof ConfigError ? "\n\nOptions: npm run seed -- --help" : ""}`,
  );
  process.exitCode = 1;
}
