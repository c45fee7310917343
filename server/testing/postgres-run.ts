import type { TestProject } from "vitest/node";

import { startPostgres } from "./postgres";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL on which every test store creates its own database. */
    postgresUrl?: string;
  }
}

/** One server for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return () => server.stop();
}
