import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { TestProject } from "vitest/node";

import { openEmbedded } from "../platform/store/embedded";
import { migrate } from "../platform/store/migrate";
import { ensureBuiltInRoles } from "../domains/access/roles.table";
import { LONG } from "./long";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * A directory with `db`, the files of a migrated database, and in long tests `db.tar`, the same for an in-memory
     * one; `empty/db` and `empty/db.tar` have no tables.
     */
    databaseTemplate?: string;
  }
}

async function archive(directory: string): Promise<void> {
  const engine = await PGlite.create({ dataDir: path.join(directory, "db") });
  const dump = await engine.dumpDataDir("none");
  await writeFile(path.join(directory, "db.tar"), Buffer.from(await dump.arrayBuffer()));
  await engine.close();
}

/** Runs once per test run: creating an empty database takes seconds, opening an existing one a fraction of that. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(path.join(tmpdir(), "platform-template-"));
  const empty = path.join(directory, "empty");
  await mkdir(empty);
  await (await PGlite.create({ dataDir: path.join(empty, "db") })).close();
  // Each start zeroes its buffers, 128 MB by default: more work than most tests need in total.
  await appendFile(path.join(empty, "db/postgresql.conf"), "shared_buffers = 8MB\n");
  await cp(path.join(empty, "db"), path.join(directory, "db"), { recursive: true });
  const database = await openEmbedded(directory);
  await migrate(database);
  await ensureBuiltInRoles(database);
  await database.close();
  // Only the long tests open databases in memory.
  if (LONG) for (const place of [empty, directory]) await archive(place);
  project.provide("databaseTemplate", directory);
  return () => rm(directory, { recursive: true, force: true });
}
