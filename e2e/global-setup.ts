import type { FullConfig } from "@playwright/test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";

import build from "../tools/built";
import { findChromium } from "../tools/chromium";
import findCurl from "../tools/curl";
import { makeDataDirectory, removeDataDirectory, startBuiltService } from "./service";

/**
 * Finds the browser, builds, and starts the service. Sets for the workers CHROMIUM_PATH, and BASE_URL: the base address
 * of the console, with a trailing slash.
 */
export default async function setUp({ projects }: FullConfig): Promise<(() => Promise<void>) | void> {
  findCurl();
  if (projects.some(({ name }) => name === "chromium")) process.env["CHROMIUM_PATH"] = findChromium();
  const given = process.env["BASE_URL"];
  if (given) {
    process.env["BASE_URL"] = given.replace(/\/*$/, "/");
    return undefined;
  }
  build();
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
