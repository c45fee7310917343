import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { chmod, mkdir, readdir, readFile, rename, rm, statfs } from "node:fs/promises";
import path from "node:path";

import { ConfigError } from "../config";
import type { Database, Queries } from "./database";
import { lockDirectory } from "./directory-lock";
import { withoutRoom } from "./refusals";
import { retryOnce } from "./retry";
import { scheduleMaintenance } from "./maintenance";

/** The PostgreSQL inside PGlite; a directory of another major version does not open. */
export const ENGINE_VERSION = "18";

/** PGlite by its own API: its node-postgres adapter loses the connection after an error. */
function wrap(engine: PGlite, release: () => Promise<void>): Database {
  const queries = (on: Pick<PGlite, "query">): Queries => ({
    query: async <R>(sql: string, parameters: readonly unknown[] = []) => {
      try {
        return (await on.query<R>(sql, [...parameters])).rows;
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
  // Times come back as text with the session's offset, which is parsed best when it is none.
  await engine.exec("set time zone 'UTC'");
  // A sample of 3,000 rows instead of 30,000 for the planner's figures: a tenth of the time, in which nobody else is served.
  await engine.exec("set default_statistics_target = 10");
  return engine;
}

/** What recovery and the first writes need, in bytes: less is a full disk, which the engine does not say. */
const ROOM = 48 * 1024 * 1024;

async function open(directory: string): Promise<PGlite> {
  try {
    return await start(directory);
  } catch (cause) {
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize < ROOM) throw Object.assign(new Error("no room"), { code: "ENOSPC", cause });
    throw new Error(`the database in ${directory} does not open: put a copy or an export in its place`, {
      cause,
    });
  }
}

const versionOf = (directory: string): Promise<string | undefined> =>
  readFile(path.join(directory, "PG_VERSION"), "utf8").then(
    (text) => text.trim(),
    () => undefined,
  );

const within = (dataDir: string): string => path.join(dataDir, "db");

/** Whether there is a database in `dataDir` already, of whatever version. */
export const holdsDatabase = async (dataDir: string): Promise<boolean> =>
  (await versionOf(within(dataDir))) !== undefined;

/**
 * Makes the files of an empty database where there are none. They get their name once they are whole: what a first
 * start leaves that is killed half-way opens as little as it looks like a database.
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
      ? `${directory} holds files and no database: move them away, or set another DATA_DIR`
      : `${directory} was written by PostgreSQL ${found}, this program embeds ${ENGINE_VERSION}: export it with the program that wrote it (npm run export), import that file here into an empty DATA_DIR`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its file system is read-only",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  ENOTDIR: "a part of that path is a file",
  ENOENT: "it cannot be made, as on a file system that is read-only",
  EEXIST: "it is a file",
};

/** What is wrong with the place, in a sentence. */
function explain(error: unknown, dataDir: string): unknown {
  const reason = REASONS[String(Object(error).code)];
  return reason === undefined
    ? error
    : new ConfigError(`DATA_DIR: ${dataDir} cannot hold a database: ${reason}`);
}

/** Opens the database in `dataDir`/db, alone; throws an Error that says who holds the directory. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  let release = async () => {};
  try {
    await mkdir(dataDir, { recursive: true });
    release = await lockDirectory(dataDir);
    await make(within(dataDir));
    // It holds keys and password hashes: nobody else on this machine may look, whatever the umask.
    await chmod(within(dataDir), 0o700);
    await checkVersion(within(dataDir));
    return await scheduleMaintenance(wrap(await open(within(dataDir)), release));
  } catch (error) {
    await release();
    throw explain(error, dataDir);
  }
}

/** Removes a database that nobody has opened: one that was made for an import which then failed. */
export const discardEmbedded = (dataDir: string): Promise<void> =>
  rm(within(dataDir), { recursive: true, force: true });

/** A database that is gone when it is closed, for tests; `made` is the archive of the one that it begins as. */
export const openMemory = async (made?: Blob): Promise<Database> =>
  wrap(await start("memory://", made), async () => {});
