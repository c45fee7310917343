import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";

import type { Database } from "../store/database";
import { openMemory } from "../store/embedded";
import { migrate } from "../store/migrate";
import { openPostgres } from "../store/postgres";
import { databaseOn } from "./postgres";

/** Hands its bytes over as they are: a Blob of Node copies them 64 kB at a time, which takes as long as the rest of a start. */
class Archive extends Blob {
  constructor(readonly content: Buffer<ArrayBuffer>) {
    super();
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.content.buffer);
  }
}

/** The run's template in memory; without one made for the run, from nothing. */
async function openTemplate(kind: "" | "empty"): Promise<Database> {
  const template = inject("databaseTemplate");
  return openMemory(
    template === undefined ? undefined : new Archive(await readFile(path.join(template, kind, "db.tar"))),
  );
}

async function openOn(url: string): Promise<Database> {
  const { url: own, stop } = await databaseOn(url);
  const database = await openPostgres(own);
  return { ...database, close: () => database.close().then(stop) };
}

/** A database without a table, gone when it is closed: on the PostgreSQL of the run where there is one. */
export function openEmpty(): Promise<Database> {
  const url = inject("postgresUrl");
  return url === undefined ? openTemplate("empty") : openOn(url);
}

/** A migrated database that is gone when it is closed: on the PostgreSQL of the run where there is one. */
export async function openMigrated(): Promise<Database> {
  const url = inject("postgresUrl");
  const database = await (url === undefined ? openTemplate("") : openOn(url));
  await migrate(database);
  return database;
}

/** A database for a service that is to start: what its environment needs beside `dataDir`, and how it goes away. */
export async function placeFor(
  dataDir: string,
): Promise<{ variables: Readonly<Record<string, string>>; stop(): Promise<void> }> {
  const url = inject("postgresUrl");
  if (url === undefined) {
    await fillDataDir(dataDir);
    return { variables: {}, stop: async () => {} };
  }
  const { url: own, stop } = await databaseOn(url);
  return { variables: { DATABASE_URL: own }, stop };
}

/** Puts a migrated database into a data directory, or one without a table, for a service that is to start on it. */
export async function fillDataDir(dataDir: string, kind: "" | "empty" = ""): Promise<void> {
  const template = inject("databaseTemplate");
  if (template === undefined) return;
  await cp(path.join(template, kind, "db"), path.join(dataDir, "db"), { recursive: true });
}
