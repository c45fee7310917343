import type { Config } from "../../config";
import type { Database } from "../../platform/store/database";
import { holdsDatabase } from "../../platform/store/embedded";
import { openDatabase } from "../../platform/store/open";

/**
 * Opens only an existing database: a mistyped DATA_DIR must not create an empty one that then becomes a backup.
 * @param before what the service has to be stopped for, if it runs on it: "exporting"
 */
export async function openExisting(config: Config, before: string): Promise<Database> {
  if (config.databaseUrl === undefined && !(await holdsDatabase(config.dataDir)))
    throw new Error(`DATA_DIR: ${config.dataDir} does not contain a database`);
  try {
    return await openDatabase(config);
  } catch (error) {
    if (error instanceof Error && error.message.includes(" is in use by "))
      throw new Error(
        `${error.message}. Only one process at a time can use the embedded database: stop the service before ${before}`,
        { cause: error },
      );
    throw error;
  }
}
