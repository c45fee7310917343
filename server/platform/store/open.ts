import type { Config } from "../../config";
import { createLog, type Log } from "../../log";
import type { Database } from "./database";
import { openEmbedded } from "./embedded";
import { openPostgres } from "./postgres";

/**
 * PostgreSQL if `databaseUrl` is set, else the embedded database under `dataDir`. Not migrated yet. `log`: for what no
 * statement tells.
 */
export const openDatabase = (
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
  log: Log = createLog("silent"),
): Promise<Database> =>
  databaseUrl === undefined ? openEmbedded(dataDir, { log }) : openPostgres(databaseUrl);
