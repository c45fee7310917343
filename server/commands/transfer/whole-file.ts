import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Writable } from "node:stream";

/** Makes the names in a folder last: without this, a power failure can undo a rename. */
async function keepNames(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file that only its owner can read. It has its name once all of it is on the disk: until then it is `<path>.part`,
 * and after an error nothing is left. Throws EEXIST if `path` exists.
 * @param finish is called with the name that the file still has, when it is complete
 */
export async function writeWhole(
  file: string,
  write: (target: Writable) => Promise<void>,
  finish: (unfinished: string) => Promise<void> = async () => {},
): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw Object.assign(new Error(), { code: "EEXIST" });
  const unfinished = `${file}.part`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, "wx", 0o600);
  try {
    // Flushed means that it is on the disk.
    await write(handle.createWriteStream({ flush: true }));
    await finish(unfinished);
    await rename(unfinished, file);
    await keepNames(path.dirname(file));
  } catch (error) {
    // The stream has closed it, unless there was none.
    await handle.close().catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}
