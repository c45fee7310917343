import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";

import type { Database } from "../platform/store/database";
import { openEngine } from "../platform/store/engine.mjs";
import { migrate } from "../platform/store/migrate";
import { onEngine } from "../platform/store/on-engine";
import { openPostgres } from "../platform/store/postgres";
import { databaseOn } from "./postgres";

/**
 * Returns its bytes without copying: Node's Blob copies 64 kB at a time, which takes as long as the rest of a start.
 */
class Archive extends Blob {
  constructor(readonly content: Buffer<ArrayBuffer>) {
    super();
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.content.buffer);
  }
}

/** A database in memory, in this thread; `made` is the archive of its initial contents. */
export async function openMemory(made?: Blob): Promise<Database> {
  const engine = await openEngine({ dataDir: "memory://", made });
  return onEngine({
    current: () => Promise.resolve(engine),
    checkRoomToWrite: () => Promise.resolve(),
    close: () => engine.close(),
  });
}

/** The run's template in memory, or a new database if the run has no template. */
async function openTemplate(kind: "" | "empty"): Promise<Database> {
  const template = inject("databaseTemplate");
  return openMemory(
    template === undefined ? undefined : new Archive(await readFile(path.join(template, kind, "db.tar"))),
  );
}

async function openOn(url: string, template?: string): Promise<Database> {
  const { url: own, stop } = await databaseOn(url, template);
  const database = await openPostgres(own);
  return { ...database, close: () => database.close().then(stop) };
}

/** A database without tables, dropped when it is closed: on the run's PostgreSQL if there is one. */
export function openEmpty(): Promise<Database> {
  const postgres = inject("postgres");
  return postgres === undefined ? openTemplate("empty") : openOn(postgres.url);
}

/** A migrated database, dropped when it is closed: on the run's PostgreSQL if there is one. */
export async function openMigrated(): Promise<Database> {
  const postgres = inject("postgres");
  const database = await (postgres === undefined
    ? openTemplate("")
    : openOn(postgres.url, postgres.template));
  await migrate(database);
  return database;
}

/** A database for a service: the environment variables it needs in addition to `dataDir`, and how to drop it. */
export async function placeFor(
  dataDir: string,
): Promise<{ variables: Readonly<Record<string, string>>; stop(): Promise<void> }> {
  const postgres = inject("postgres");
  if (postgres === undefined) {
    await fillDataDir(dataDir);
    return { variables: {}, stop: async () => {} };
  }
  const { url: own, stop } = await databaseOn(postgres.url, postgres.template);
  return { variables: { DATABASE_URL: own }, stop };
}

/** Copies a migrated or an empty database into a data directory, for a service to start on. */
export async function fillDataDir(dataDir: string, kind: "" | "empty" = ""): Promise<void> {
  const template = inject("databaseTemplate");
  if (template === undefined) return;
  await cp(path.join(template, kind, "db"), path.join(dataDir, "db"), { recursive: true });
}
