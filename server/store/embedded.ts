import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { chmod, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";

import { ConfigError } from "../config";
import type { Database, Queries } from "./database";
import { lockDirectory } from "./directory-lock";
import { withoutRoom } from "./refusals";
import { checkRoom, checkRoomToOpen, within } from "./room";
import { retryOnce } from "./retry";
import { scheduleMaintenance } from "./maintenance";

/** The PostgreSQL major version of PGlite; it cannot open a directory of another one. */
export const ENGINE_VERSION = "18";

/** Statements that need room on the disk. */
const WRITES =
  /^\s*(?:(?:insert|update|delete|merge|create|alter|drop|truncate|vacuum)\b|with\b[^]*\b(?:insert|update|delete|merge)\b)/i;

/** Uses PGlite's own API: its node-postgres adapter loses the connection after an error. */
function wrap(engine: PGlite, release: () => Promise<void>, checkRoomToWrite: () => Promise<void>): Database {
  const queries = (on: Pick<PGlite, "query">): Queries => ({
    query: async <R>(sql: string, parameters: readonly unknown[] = []) => {
      try {
        if (WRITES.test(sql)) await checkRoomToWrite();
        const { rows } = await on.query<R>(sql, [...parameters]);
        // The engine waits for nothing outside the process. Without a pause, all that one connection asked for would run
        // before anything is read from others.
        await setImmediate();
        return rows;
      } catch (error) {
        throw withoutRoom(error);
      }
    },
  });
  return {
    kind: "embedded",
    ...queries(engine),
    transaction: (work) =>
      retryOnce(() => engine.transaction((on) => work(queries(on as unknown as PGlite)))),
    close: async () => {
      await engine.close();
      await release();
    },
  };
}

async function start(dataDir: string, made?: Blob): Promise<PGlite> {
  // Relaxed: the embedded database survives the process, not a power cut.
  const engine = await PGlite.create({
    dataDir,
    relaxedDurability: true,
    extensions: { pg_trgm },
    ...(made && { loadDataDir: made }),
  });
  // Times arrive as text with the session's offset; UTC is parsed best.
  await engine.exec("set time zone 'UTC'");
  // The planner's statistics sample 3,000 rows instead of 30,000: a tenth of the time, during which no other query
  // runs.
  await engine.exec("set default_statistics_target = 10");
  return engine;
}

async function open(directory: string, release: () => Promise<void>): Promise<Database> {
  try {
    return wrap(await start(directory), release, () => checkRoom(directory));
  } catch (cause) {
    throw new Error(`the database in ${directory} does not open: restore a copy or an export`, { cause });
  }
}

const versionOf = (directory: string): Promise<string | undefined> =>
  readFile(path.join(directory, "PG_VERSION"), "utf8").then(
    (text) => text.trim(),
    () => undefined,
  );

/** True if `dataDir` already contains a database, of any version. */
export const holdsDatabase = async (dataDir: string): Promise<boolean> =>
  (await versionOf(within(dataDir))) !== undefined;

/**
 * Creates an empty database if there is none. The files get their final name once they are complete: a first start that
 * is killed halfway must not leave something that looks like a database but does not open.
 */
async function make(directory: string): Promise<void> {
  const present = await readdir(directory).catch(() => []);
  if (present.length > 0) return;
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await (await start(unfinished)).close();
  await rename(unfinished, directory);
}

async function checkVersion(directory: string): Promise<void> {
  const found = await versionOf(directory);
  if (found === ENGINE_VERSION) return;
  throw new ConfigError(
    found === undefined
      ? `${directory} contains files but no database: move them or set another DATA_DIR`
      : `${directory} was written by PostgreSQL ${found}, but this program embeds ${ENGINE_VERSION}: export it with the program that wrote it (npm run export), then import that file into an empty DATA_DIR`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user cannot write there",
  EPERM: "this user cannot write there",
  EROFS: "its file system is read-only",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  ENOTDIR: "a part of that path is a file",
  ENOENT: "it cannot be created; its file system might be read-only",
  EEXIST: "it is a file",
};

/** Explains in a sentence why the directory cannot be used. */
function explain(error: unknown, dataDir: string): unknown {
  const reason = REASONS[String(Object(error).code)];
  return reason === undefined
    ? error
    : new ConfigError(`DATA_DIR: ${dataDir} cannot hold a database: ${reason}`);
}

/** Opens the database in `dataDir`/db exclusively; throws an Error naming the process that holds the directory. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  let release = async () => {};
  try {
    await mkdir(dataDir, { recursive: true });
    release = await lockDirectory(dataDir);
    await checkRoomToOpen(dataDir);
    await make(within(dataDir));
    // Contains keys and password hashes: no access for other users of this machine, whatever the umask.
    await chmod(within(dataDir), 0o700);
    await checkVersion(within(dataDir));
    return await scheduleMaintenance(await open(within(dataDir), release));
  } catch (error) {
    await release();
    throw explain(error, dataDir);
  }
}

/** Removes a database that is not open: one created for an import that then failed. */
export const discardEmbedded = (dataDir: string): Promise<void> =>
  rm(within(dataDir), { recursive: true, force: true });

/** An in-memory database for tests; `made` is the archive of its initial contents. */
export const openMemory = async (made?: Blob): Promise<Database> =>
  wrap(
    await start("memory://", made),
    async () => {},
    async () => {},
  );
