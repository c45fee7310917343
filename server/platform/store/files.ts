import { access, constants, stat, utimes } from "node:fs/promises";
import path from "node:path";

import { unavailable } from "./refusals";

/** Without these there is no database, and the engine would create another one. */
const NEEDED = ["PG_VERSION", "global/pg_control", "base", "pg_wal"];

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "the files of the database are gone",
  EROFS: "the file system of the database is read-only",
};

/** UNAVAILABLE, with what is wrong with the files. */
export const unusable = (error: unknown): Error =>
  unavailable(REASONS[String(Object(error).code)] ?? "the files of the database cannot be used", error);

/**
 * Throws UNAVAILABLE if nothing can be written there: a file system that stopped after an error says of its files that they
 * can be written, and the engine would hang.
 */
export async function checkWritable(directory: string): Promise<void> {
  const now = new Date();
  await utimes(path.join(directory, "PG_VERSION"), now, now).catch((error: unknown) => {
    throw unusable(error);
  });
}

/** Throws UNAVAILABLE unless the files of the database in `directory` are there, and can be written. */
export async function checkFiles(directory: string): Promise<void> {
  const { R_OK, W_OK } = constants;
  const each = NEEDED.map((name) => access(path.join(directory, name), R_OK | W_OK));
  await Promise.all(each).catch((error: unknown) => {
    throw unusable(error);
  });
  await checkWritable(directory);
}

/** Which files they are: others have taken their place if it changes. Throws UNAVAILABLE if there are none. */
export async function identityOf(directory: string): Promise<string> {
  const { dev, ino } = await stat(path.join(directory, "PG_VERSION")).catch((error: unknown) => {
    throw unusable(error);
  });
  return `${dev}:${ino}`;
}
