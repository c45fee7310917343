import { readFileSync } from "node:fs";

import { describe, exitCodeOf, UsageError } from "./cli/errors";
import { readSessions } from "./session/files";
import { readServer } from "./session/server";
import { accessToken, givenToken } from "./session/session";

/**
 * The protocol of Docker's credential helpers: one word as argument, the rest on standard input and output
 * (https://github.com/docker/docker-credential-helpers). Nothing is stored here: `platform login` does that.
 */

/** Docker knows these words, and goes on without credentials. */
const NOT_FOUND = "credentials not found in native keychain";
/** Any name: the registry's token service looks at the password alone. */
const USERNAME = "platform";

/** "https://registry.example.com/v2/": "registry.example.com". */
const hostOf = (address: string): string =>
  address
    .trim()
    .replace(/^https?:\/\//, "")
    .split("/", 1)[0] ?? "";

/** The consoles that a token is known for. */
async function servers(): Promise<string[]> {
  const { servers: kept } = await readSessions();
  const given = process.env["PLATFORM_SERVER"];
  return [
    ...new Set([
      ...(given && givenToken() ? [new URL(given.replace(/\/?$/, "/")).href] : []),
      // Of a sign-in that only reads, which is kept for a language model.
      ...Object.keys(kept).filter((url) => !url.includes("#")),
    ]),
  ];
}

async function get(address: string): Promise<object | undefined> {
  for (const url of await servers()) {
    // oxlint-disable-next-line no-await-in-loop -- most people have one
    const server = await readServer(url).catch(() => undefined);
    if (server?.registryHost === undefined || server.registryHost !== hostOf(address)) continue;
    // oxlint-disable-next-line no-await-in-loop
    return {
      ServerURL: address.trim(),
      Username: USERNAME,
      Secret: givenToken() ?? (await accessToken(url)),
    };
  }
  return undefined;
}

async function list(): Promise<object> {
  const hosts = await Promise.all(
    (await servers()).map(async (url) => (await readServer(url).catch(() => undefined))?.registryHost),
  );
  return Object.fromEntries(hosts.flatMap((host) => (host === undefined ? [] : [[host, USERNAME]])));
}

async function act(verb: string | undefined): Promise<void> {
  if (verb === "list") return void process.stdout.write(JSON.stringify(await list()));
  if (verb === "store")
    throw new UsageError("Nothing is stored by docker login here: sign in with platform login.");
  // `docker logout` wants it to work; the sign-in stays, which `platform logout` ends.
  if (verb === "erase") return;
  if (verb !== "get") throw new UsageError("Usage: docker-credential-platform get|store|erase|list");
  const found = await get(readFileSync(0, "utf8"));
  process.stdout.write(found ? JSON.stringify(found) : NOT_FOUND);
  if (!found) process.exitCode = 1;
}

try {
  await act(process.argv[2]);
} catch (error) {
  // Docker shows what is on standard output.
  process.stdout.write(describe(error));
  process.exitCode = exitCodeOf(error);
}
