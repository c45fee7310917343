import type { Config } from "../../config";
import { createLog, type Log } from "../../log";
import type { Database } from "./database";
import { DirectoryInUse } from "./directory-lock";
import { holdsDatabase, openEmbedded } from "./embedded";
import { requestCopy } from "./online-copy";
import { openPostgres } from "./postgres";

type Place = Pick<Config, "dataDir" | "databaseUrl">;

/**
 * PostgreSQL if `databaseUrl` is set, else the embedded database under `dataDir`. Not migrated yet. `log`: for what no
 * statement tells.
 */
export const openDatabase = (
  { dataDir, databaseUrl }: Place,
  log: Log = createLog("silent"),
): Promise<Database> =>
  databaseUrl === undefined ? openEmbedded(dataDir, { log }) : openPostgres(databaseUrl);

/**
 * Opens only an existing database: a mistyped DATA_DIR must not create an empty one that then becomes a backup.
 * @param before what the service has to be stopped for, if it runs on it: "moving"
 */
export async function openExisting(place: Place, before: string): Promise<Database> {
  if (place.databaseUrl === undefined && !(await holdsDatabase(place.dataDir)))
    throw new Error(`DATA_DIR: ${place.dataDir} does not contain a database`);
  try {
    return await openDatabase(place);
  } catch (error) {
    if (error instanceof DirectoryInUse)
      throw new Error(
        `${error.message}. Only one process at a time can use the embedded database: stop the service before ${before}`,
        { cause: error },
      );
    throw error;
  }
}

/**
 * Opens an existing database to read it, also while the service runs: with the embedded one, what is opened then is a copy
 * that the service makes of its files, and removes when this is closed.
 */
export async function openToRead(place: Place, before: string): Promise<Database> {
  const copy = place.databaseUrl === undefined ? await requestCopy(place.dataDir) : undefined;
  if (!copy) return openExisting(place, before);
  try {
    const database = await openEmbedded(copy.dataDir);
    return { ...database, close: () => database.close().finally(() => copy.release()) };
  } catch (error) {
    copy.release();
    throw error;
  }
}
