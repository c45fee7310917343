import { randomBytes } from "node:crypto";
import { chmod, constants, cp, mkdir, readdir, realpath, rm, stat, statfs } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";

import type { Log } from "../../log";
import { errorCode, reasonOf } from "../../reason";
import type { Database } from "./database";
import { socketOf } from "./directory-lock";
import { lacking, ROOM, roomFrom, within } from "./room";

const COPIES = "copies";
const SOCKET = "copies.sock";

/** What a process that asked for a copy is told: where it is within the data directory, or why there is none. */
interface Reply {
  readonly copy?: string;
  readonly error?: string;
}

/** Bytes of the files in a directory. A file that goes meanwhile counts as none. */
async function sizeOf(directory: string): Promise<number> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = files.map((file) =>
    file.isFile()
      ? stat(path.join(file.parentPath, file.name)).then(
          ({ size }) => size,
          () => 0,
        )
      : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Throws unless the disk has room for a copy, and after it for the database's own writes. */
async function checkRoomForCopy(dataDir: string): Promise<void> {
  const needed = { ...ROOM, bytes: ROOM.bytes + (await sizeOf(within(dataDir))) };
  const missing = lacking(roomFrom(await statfs(dataDir)), needed, "a copy of the database");
  if (missing !== undefined) throw new Error(`the disk of ${dataDir} has ${missing}`);
}

/**
 * Copies the files of the database while nothing else uses it: the engine has one session, a transaction has it alone, and
 * nothing works in its background. What the copy has is what was committed.
 */
const copyFiles = (database: Database, from: string, to: string, isOver: () => boolean): Promise<void> =>
  database.transaction(async (queries) => {
    // What the copy then does not have to read again from the log.
    await queries.query("checkpoint");
    const filter = () => {
      if (isOver()) throw new Error("nobody waits for it any more");
      return true;
    };
    // On file systems that can, both share their blocks until one is written.
    await cp(from, to, { recursive: true, dereference: true, mode: constants.COPYFILE_FICLONE, filter });
  });

/**
 * Lets other processes of this machine have copies of the embedded database that this process has open, one after another. A
 * copy stays until who asked for it is gone.
 * @param dataDir the data directory, which this process has locked
 * @returns a function that ends it and removes what is left
 */
export async function serveCopies(
  dataDir: string,
  database: Database,
  log: Log,
): Promise<() => Promise<void>> {
  const home = await realpath(dataDir);
  const socket = socketOf(home, SOCKET);
  const folder = path.join(home, COPIES);
  const open = new Set<Socket>();
  let isOver = false;
  /** The end of the last turn. */
  let turns = Promise.resolve();
  const remove = () => rm(folder, { recursive: true, force: true });

  async function make(name: string, asker: Socket): Promise<void> {
    await checkRoomForCopy(home);
    await mkdir(path.join(folder, name), { recursive: true, mode: 0o700 });
    const begin = performance.now();
    const target = within(path.join(folder, name));
    await copyFiles(database, within(home), target, () => isOver || asker.destroyed);
    log.info({ milliseconds: Math.round(performance.now() - begin) }, "the database was copied for a backup");
  }
  async function reply(asker: Socket): Promise<Reply> {
    const name = randomBytes(8).toString("hex");
    try {
      await make(name, asker);
      return { copy: path.join(COPIES, name) };
    } catch (error) {
      await remove();
      log.warn({ err: error }, "the database was not copied");
      return { error: reasonOf(error) };
    }
  }
  async function serve(asker: Socket): Promise<void> {
    if (isOver || asker.destroyed) return;
    const gone = new Promise<void>((resolve) => asker.once("close", () => resolve()));
    const answer = await reply(asker);
    asker.write(`${JSON.stringify(answer)}\n`);
    if (answer.copy === undefined) return void asker.end();
    await gone;
    await remove();
  }
  const server = createServer((asker) => {
    open.add(asker);
    asker.on("error", () => {});
    asker.on("close", () => open.delete(asker));
    // Half-open sockets do not close by themselves, and this has nothing to read.
    asker.resume();
    turns = turns
      .then(() => serve(asker))
      .catch((error: unknown) => log.warn({ err: error }, "a copy of the database was not removed"));
  });
  await remove();
  await rm(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => resolve());
  });
  server.unref();
  // Who may connect is who may write to it.
  await chmod(socket, 0o600);
  return async () => {
    isOver = true;
    for (const asker of open) asker.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await turns;
  };
}

/** Nobody listens: no process has the database open. */
const SILENT = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK"]);

export interface OnlineCopy {
  /** A data directory of its own. */
  readonly dataDir: string;
  /** The process that made the copy then removes it, as it does when this one ends. */
  release(): void;
}

/**
 * Asks the process that has the database of `dataDir` open for a copy; undefined if there is none. Throws an Error with what
 * that process said, or if it is another user's.
 */
export async function requestCopy(dataDir: string): Promise<OnlineCopy | undefined> {
  const home = await realpath(dataDir).catch(() => undefined);
  if (home === undefined) return undefined;
  const connection = connect(socketOf(home, SOCKET));
  const text = await new Promise<string | undefined>((resolve, reject) => {
    let said = "";
    connection.setEncoding("utf8");
    connection.on("data", (data: string) => {
      said += data;
      if (said.endsWith("\n")) resolve(said);
    });
    connection.on("error", (error) => {
      const code = String(errorCode(error));
      if (SILENT.has(code)) resolve(undefined);
      else if (code !== "EACCES") reject(error);
      else
        reject(
          new Error(`DATA_DIR: ${dataDir} belongs to another user: run this as the user of the service`),
        );
    });
    connection.on("close", () => reject(new Error("the service ended before it had copied its database")));
  });
  if (text === undefined) return undefined;
  const { copy, error }: Reply = JSON.parse(text);
  if (copy === undefined) throw new Error(`the service made no copy of its database: ${error}`);
  // It waits for nothing more, and must not keep this process alive.
  connection.unref();
  return { dataDir: path.join(home, copy), release: () => void connection.destroy() };
}
