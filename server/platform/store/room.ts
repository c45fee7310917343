import { readdir, statfs } from "node:fs/promises";
import path from "node:path";

import { ConfigError } from "../../config";
import { checkWritable, unusable } from "./files";
import { unavailable } from "./refusals";

const MEGABYTE = 1024 * 1024;

/**
 * Bytes that the disk of the embedded database must have left: two segments of its log and some rows. If it has no room
 * for the next segment, the engine tries forever, and the process answers nothing any more. An object, for tests.
 */
export const ROOM = {
  bytes: 48 * MEGABYTE,
  /** Files: some tables with their maps, and segments of logs. */
  inodes: 256,
};

/** What a new database needs, with the room for its first writes. */
const ROOM_FOR_NEW = { bytes: 96 * MEGABYTE, inodes: 2_048 };

/** Where the files of the database are. */
export const within = (dataDir: string): string => path.join(dataDir, "db");

interface Room {
  readonly bytes: number;
  readonly inodes: number;
}

/** The lesser of each. */
const least = (rooms: readonly Room[]): Room => ({
  bytes: Math.min(...rooms.map(({ bytes }) => bytes)),
  inodes: Math.min(...rooms.map(({ inodes }) => inodes)),
});

type Facts = Readonly<Record<"bavail" | "bsize" | "files" | "ffree", number>>;

/** Some file systems make inodes as long as they have room, and say that there are none at all. */
export const roomFrom = ({ bavail, bsize, files, ffree }: Facts): Room => ({
  bytes: bavail * bsize,
  inodes: files === 0 ? Infinity : ffree,
});

const roomIn = async (directory: string): Promise<Room> => roomFrom(await statfs(directory));

/** Tables and log can be on disks of their own. */
const PARTS = ["base", "pg_wal"];

/** The room on the disks of the database in `directory`. */
export const roomOf = async (directory: string): Promise<Room> =>
  least(await Promise.all(PARTS.map((part) => roomIn(path.join(directory, part)))));

const megabytes = (bytes: number): string => `${Math.floor(bytes / MEGABYTE)} MB`;

/** "3 MB left; it needs 48 MB": what is missing, if something is. */
export const lacking = (room: Room, needed: Room, what: string): string | undefined => {
  if (room.bytes < needed.bytes)
    return `${megabytes(room.bytes)} left; ${what} needs ${megabytes(needed.bytes)}`;
  if (room.inodes < needed.inodes) return `${room.inodes} inodes left; ${what} needs ${needed.inodes}`;
  return undefined;
};

/** Throws UNAVAILABLE if a write could find no room on a disk of the database in `directory`. */
export async function checkRoom(directory: string): Promise<void> {
  const room = await roomOf(directory).catch((error: unknown) => {
    throw unusable(error);
  });
  await checkWritable(directory);
  const missing = lacking(room, ROOM, "a write");
  if (missing !== undefined)
    throw unavailable(
      "the database has no room left to write",
      new Error(`the disk of ${directory} has ${missing}`),
    );
}

/**
 * Throws a ConfigError unless the disk has room to open the database of `dataDir`, or to create it. `place`: an existing
 * directory on that disk. Returns the room as a sentence.
 */
export async function checkRoomToOpen(dataDir: string, place = dataDir): Promise<string> {
  const files = await readdir(within(dataDir)).catch(() => []);
  const parts = files.length > 0 ? PARTS.map((part) => path.join(within(dataDir), part)) : [];
  const unknown = { bytes: Infinity, inodes: Infinity };
  const rooms = await Promise.all(parts.map((part) => roomIn(part).catch(() => unknown)));
  const room = least([await roomIn(place), ...rooms]);
  const [needed, what] = files.length > 0 ? [ROOM, "its database"] : [ROOM_FOR_NEW, "a new database"];
  const missing = lacking(room, needed, what);
  if (missing !== undefined) throw new ConfigError(`DATA_DIR: the disk of ${dataDir} has ${missing}`);
  return `${megabytes(room.bytes)} free for ${dataDir}`;
}
