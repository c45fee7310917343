import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import * as z from "zod";

import { errorCode } from "../../reason";
import { BadFile } from "../transfer/format";

/** What a backup should be, in a file of its own beside it: it can be read without reading the backup. */
const manifestSchema = z.object({
  format: z.literal("platform-backup"),
  /** Of the program that wrote it. */
  version: z.string(),
  /** The last migration of its database. */
  migration: z.string(),
  /** ISO time: everything that was acknowledged until then is in it, and nothing that began after it was written. */
  createdAt: z.string(),
  bytes: z.number().int(),
  /** Of the file, in hex. */
  sha256: z.string(),
  /** Rows by table. */
  tables: z.record(z.string(), z.number().int()),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

export const manifestOf = (file: string): string => `${file}.json`;

/** What a backup in a folder is called. */
export const nameAt = (time: Date): string =>
  `platform-console-${time.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.gz`;
const NAMED = /^platform-console-\d{8}T\d{6}Z\.gz$/;

/** Names of the backups in a folder, oldest first, except those that were given another name. */
export const backupsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => NAMED.test(name)).toSorted();

/** Throws a BadFile if there is none, or another file. */
export async function readManifest(file: string): Promise<BackupManifest> {
  const text = await readFile(manifestOf(file), "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT")
      throw new BadFile(`has no manifest: ${manifestOf(file)} does not exist`);
    throw error;
  });
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw new BadFile(`has no manifest: ${manifestOf(file)} is something else`);
  }
}

/** Length and checksum of a file. */
export async function measure(file: string): Promise<Pick<BackupManifest, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { bytes, sha256: hash.digest("hex") };
}
