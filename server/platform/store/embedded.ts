import { chmod, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";

import { ConfigError } from "../../config";
import { createLog, type Log } from "../../log";
import type { Database, Queries } from "./database";
import { lockDirectory } from "./directory-lock";
import { startEngine } from "./engine-host";
import { checkFiles, identityOf } from "./files";
import { onEngine } from "./on-engine";
import { unavailable } from "./refusals";
import { checkRoom, checkRoomToOpen, roomOf, within } from "./room";
import { serveCopies } from "./online-copy";
import { scheduleMaintenance } from "./maintenance";

/** The PostgreSQL major version of PGlite; it cannot open a directory of another one. */
export const ENGINE_VERSION = "18";

interface Patience {
  /** Milliseconds for one statement, once the database is told to limit them: what takes longer has hung. */
  readonly statement: number;
  /** Milliseconds that the engine gets to end its work and write everything to disk; it survives being killed. */
  readonly close: number;
}

const PATIENCE: Patience = { statement: 60_000, close: 10_000 };

interface Opening {
  readonly directory: string;
  release(): Promise<void>;
  readonly patience: Patience;
  readonly log: Log;
}

async function open({ directory, release, patience, log }: Opening): Promise<Database> {
  let limit = Infinity;
  const start = () => startEngine(directory, () => limit);
  let engine = await start().catch((cause: unknown) => {
    throw new Error(`the database in ${directory} does not open: restore a copy or an export`, { cause });
  });
  let identity = await identityOf(directory);
  let closed = false;
  /** Without room it would hang again, and without files it would create others. */
  async function checkStart(): Promise<void> {
    await checkFiles(directory);
    await checkRoom(directory);
  }
  const isStartable = () =>
    checkStart().then(
      () => true,
      () => false,
    );
  async function restart(): Promise<void> {
    await checkStart();
    identity = await identityOf(directory);
    engine = await start().catch((cause: unknown) => {
      throw unavailable("the database does not open", cause);
    });
    log.warn("the database was started again");
  }
  async function current() {
    if (closed) return engine;
    // Without room it would not start: until then it answers what it can.
    if (engine.astray && !engine.ended && (await isStartable())) engine.end();
    if (engine.ended) await restart();
    return engine;
  }
  /** An engine whose files are gone, or others, must write no more: its next start reads them again. */
  async function checkIdentity(): Promise<void> {
    const found = await identityOf(directory).catch((error: unknown) => {
      engine.end();
      throw error;
    });
    if (found === identity) return;
    engine.end();
    throw unavailable("the files of the database were replaced", new Error(`in ${directory}`));
  }
  const database = onEngine({
    current,
    checkRoomToWrite: async () => {
      await checkIdentity();
      await checkRoom(directory);
    },
    close: async () => {
      closed = true;
      await engine.close();
      await release();
    },
  });
  const probe: Queries = {
    query: async (sql, parameters) => {
      await checkFiles(directory);
      // Otherwise it has ended already.
      if (!engine.ended) await checkIdentity();
      return database.query(sql, parameters);
    },
  };
  const close = async () => {
    // A statement that hangs must not keep the process from ending: this ends it, and with it what waits for it.
    const late = setTimeout(() => engine.end(), patience.close);
    await database.close();
    clearTimeout(late);
  };
  const limitStatements = () => void (limit = patience.statement);
  return { ...database, probe, close, room: () => roomOf(directory), limitStatements };
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
  await (await startEngine(unfinished, () => Infinity)).close();
  await rename(unfinished, directory);
}

async function checkVersion(directory: string): Promise<void> {
  const found = await versionOf(directory);
  if (found === ENGINE_VERSION) return;
  if (found === "") throw new ConfigError(`${directory} is damaged: restore a copy or an export`);
  throw new ConfigError(
    found === undefined
      ? `${directory} contains files but no database: move them or set another DATA_DIR`
      : `${directory} was written by PostgreSQL ${found}, but this program embeds ${ENGINE_VERSION}: export it with the program that wrote it (its command export), then import that file into an empty DATA_DIR`,
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

/** Without copies there are no backups while it runs, but everything else works. */
async function withCopies(dataDir: string, database: Database, log: Log): Promise<Database> {
  const stop = await serveCopies(dataDir, database, log).catch((error: unknown) => {
    log.warn({ err: error }, "backups are not possible while the service runs");
    return async () => {};
  });
  return { ...database, close: () => stop().then(() => database.close()) };
}

/**
 * Opens the database in `dataDir`/db exclusively; throws an Error naming the process that holds the directory.
 */
export async function openEmbedded(
  dataDir: string,
  {
    patience = PATIENCE,
    log = createLog("silent"),
  }: { readonly patience?: Patience; readonly log?: Log } = {},
): Promise<Database> {
  let release = async () => {};
  try {
    await mkdir(dataDir, { recursive: true });
    release = await lockDirectory(dataDir);
    await checkRoomToOpen(dataDir);
    await make(within(dataDir));
    // Contains keys and password hashes: no access for other users of this machine, whatever the umask.
    await chmod(within(dataDir), 0o700);
    await checkVersion(within(dataDir));
    const opened = await open({ directory: within(dataDir), release, patience, log });
    return withCopies(dataDir, await scheduleMaintenance(opened, log), log);
  } catch (error) {
    await release();
    throw explain(error, dataDir);
  }
}

/** Removes a database that is not open: one created for an import that then failed. */
export const discardEmbedded = (dataDir: string): Promise<void> =>
  rm(within(dataDir), { recursive: true, force: true });
