import type { Database } from "../platform/store/database";
import { openMigrated } from "./database";

/** The organization and the image that tests ingest for. */
export const GROUP = "a".repeat(40);
export const DIGEST = `sha256:${"1".repeat(64)}`;

export async function addGroups(database: Database, uids: readonly string[]): Promise<void> {
  await database.query(
    `insert into groups (uid, parent, name, created_at, updated_at)
     select u, null, u, now(), now() from unnest($1::text[]) u`,
    [uids],
  );
}

/** A migrated database with organizations to ingest into. */
export async function openForIngest(...groups: readonly string[]): Promise<Database> {
  const database = await openMigrated();
  await addGroups(database, [GROUP, ...groups]);
  return database;
}

/** Deletes everything that files were read into. */
export async function forgetFiles(database: Database): Promise<void> {
  for (const table of [
    "advisories",
    "advisory_records",
    "vulnerability_metadata",
    "vulnerability_exploitation",
    "image_packages",
  ])
    await database.query(`delete from ${table}`);
}

/** Splits text into chunks at arbitrary byte positions. */
export async function* chunked(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
