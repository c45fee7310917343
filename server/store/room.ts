import { readdir, statfs } from "node:fs/promises";
import path from "node:path";

import { ConfigError } from "../config";
import { unavailable } from "./refusals";

const MEGABYTE = 1024 * 1024;

/**
 * Bytes that the disk of the embedded database must have left: two segments of its log and some rows. If it has no room
 * for the next segment, the engine tries forever, and the process answers nothing any more. An object, for tests.
 */
export const ROOM = { bytes: 48 * MEGABYTE };

/** Bytes that a new database needs, with the room for its first writes. */
const ROOM_FOR_NEW = 96 * MEGABYTE;

/** Where the files of the database are. */
export const within = (dataDir: string): string => path.join(dataDir, "db");

const megabytes = (bytes: number): string => `${Math.floor(bytes / MEGABYTE)} MB`;

async function roomIn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Tables and log can be on disks of their own. */
const PARTS = ["base", "pg_wal"];

/** Throws UNAVAILABLE if a write could find no room on a disk of the database in `directory`. */
export async function checkRoom(directory: string): Promise<void> {
  const room = Math.min(...(await Promise.all(PARTS.map((part) => roomIn(path.join(directory, part))))));
  if (room < ROOM.bytes)
    throw unavailable(
      "the database has no room left to write",
      new Error(`${megabytes(room)} free for ${directory}, ${megabytes(ROOM.bytes)} needed`),
    );
}

/**
 * Throws a ConfigError unless the disk has room to open the database of `dataDir`, or to create it. `place`: an existing
 * directory on that disk. Returns the room as a sentence.
 */
export async function checkRoomToOpen(dataDir: string, place = dataDir): Promise<string> {
  const files = await readdir(within(dataDir)).catch(() => []);
  const needed = files.length > 0 ? ROOM.bytes : ROOM_FOR_NEW;
  const parts = files.length > 0 ? PARTS.map((part) => path.join(within(dataDir), part)) : [];
  const rooms = await Promise.all(parts.map((part) => roomIn(part).catch(() => Infinity)));
  const room = Math.min(await roomIn(place), ...rooms);
  if (room >= needed) return `${megabytes(room)} free for ${dataDir}`;
  const what = files.length > 0 ? "its database" : "a new database";
  throw new ConfigError(
    `DATA_DIR: the disk of ${dataDir} has ${megabytes(room)} left; ${what} needs ${megabytes(needed)}`,
  );
}
