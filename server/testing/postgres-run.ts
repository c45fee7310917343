import type { TestProject } from "vitest/node";

import { openPostgres } from "../platform/store/postgres";
import { migrate } from "../platform/store/migrate";
import { ensureBuiltInRoles } from "../domains/access/roles.table";
import { databaseOn, startPostgres } from "./postgres";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL on which every test creates its own databases, and the migrated one to copy. */
    postgres?: { readonly url: string; readonly template: string };
  }
}

/** One server for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const template = await databaseOn(server.url);
  const database = await openPostgres(template.url);
  await migrate(database);
  await ensureBuiltInRoles(database);
  await database.close();
  project.provide("postgres", { url: server.url, template: new URL(template.url).pathname.slice(1) });
  return async () => {
    await template.stop();
    await server.stop();
  };
}
