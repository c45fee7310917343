import { PGlite } from "@electric-sql/pglite";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";

import type { Database, Queries } from "./database";
import { lockDirectory } from "./directory-lock";
import { retryOnce } from "./retry";

/** The PostgreSQL inside PGlite; a directory of another major version does not open. */
export const ENGINE_VERSION = "18";

/** PGlite by its own API: its node-postgres adapter loses the connection after an error. */
function wrap(engine: PGlite, release: () => Promise<void>): Database {
  const queries = (on: Pick<PGlite, "query">): Queries => ({
    query: async <R>(sql: string, parameters: readonly unknown[] = []) =>
      (await on.query<R>(sql, [...parameters])).rows,
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
    ...(made && { loadDataDir: made }),
  });
  // Times come back as text with the session's offset, which is parsed best when it is none.
  await engine.exec("set time zone 'UTC'");
  return engine;
}

async function checkVersion(directory: string): Promise<void> {
  const found = await readFile(path.join(directory, "PG_VERSION"), "utf8").catch(() => undefined);
  if (found === undefined || found.trim() === ENGINE_VERSION) return;
  throw new Error(
    `${directory} was written by PostgreSQL ${found.trim()}, this program embeds ${ENGINE_VERSION}: export it with the program that wrote it`,
  );
}

/** Opens the database in `dataDir`/db, alone; throws an Error that says who holds the directory. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  await mkdir(dataDir, { recursive: true });
  const release = await lockDirectory(dataDir);
  const directory = path.join(dataDir, "db");
  try {
    await checkVersion(directory);
    return wrap(await start(directory), release);
  } catch (error) {
    await release();
    throw error;
  }
}

/** A database that is gone when it is closed, for tests; `made` is the archive of the one that it begins as. */
export const openMemory = async (made?: Blob): Promise<Database> =>
  wrap(await start("memory://", made), async () => {});
