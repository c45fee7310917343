import type { Config } from "../config";
import type { Database } from "./database";
import { openEmbedded } from "./embedded";
import { openPostgres } from "./postgres";

/** PostgreSQL if `databaseUrl` is set, else the embedded database under `dataDir`. Not migrated yet. */
export const openDatabase = ({
  dataDir,
  databaseUrl,
}: Pick<Config, "dataDir" | "databaseUrl">): Promise<Database> =>
  databaseUrl === undefined ? openEmbedded(dataDir) : openPostgres(databaseUrl);
