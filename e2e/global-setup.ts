import { appendFile } from "node:fs/promises";
import { join } from "node:path";

import { makeDataDirectory, removeDataDirectory, startBuiltService } from "./service";

/** Sets BASE_URL for the workers: the base address of the console, with a trailing slash. */
export default async function setUp(): Promise<(() => Promise<void>) | void> {
  const given = process.env["BASE_URL"];
  if (given) {
    process.env["BASE_URL"] = given.replace(/\/*$/, "/");
    return undefined;
  }
  const prepared = await makeDataDirectory();
  const first = await startBuiltService(prepared);
  await first.stop();
  // Each start fills the shared buffers with zeros, 128 MB of them by default.
  await appendFile(join(prepared, "db/postgresql.conf"), "shared_buffers = 8MB\n");
  process.env["PREPARED_DATA"] = prepared;
  const directory = await makeDataDirectory();
  const service = await startBuiltService(directory);
  process.env["BASE_URL"] = `${service.url}/`;
  process.env["OWN_SERVICE"] = "1";
  return async () => {
    await service.stop();
    await removeDataDirectory(directory);
    await removeDataDirectory(prepared);
  };
}
