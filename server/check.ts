import { constants, existsSync } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import path from "node:path";

import { readDiscovery } from "./platform/access/issuers";
import { ConfigError, readConfig, type Config, type RegistrySettings } from "./config";
import { readCollisions } from "./domains/registry/namespaces.table";
import { DEMO_ISSUERS } from "./demo";
import { unknownVariables, type Variables } from "./environment";
import { readLogo } from "./platform/http/console-files";
import { createRegistryClient } from "./platform/registry/client";
import { hasRegistryKeys } from "./platform/registry/keys";
import { createRegistrySigner } from "./platform/registry/tokens";
import { transportOf } from "./platform/mail/service";
import { reasonOf } from "./reason";
import type { MailSettings } from "./smtp";
import type { Database } from "./platform/store/database";
import { DirectoryInUse } from "./platform/store/directory-lock";
import { pendingMigrations, serverFacts } from "./platform/store/migrate";
import { holdsDatabase } from "./platform/store/embedded";
import { openDatabase } from "./platform/store/open";
import { checkRoomToOpen, within } from "./platform/store/room";

export interface Finding {
  /** `warning` does not keep the service from starting. */
  readonly result: "ok" | "warning" | "failed";
  readonly what: "configuration" | "database" | "disk" | "issuer" | "mail" | "registry";
  readonly sentence: string;
}

/** Of the process: 1 if the service could not start, 3 if it could, but something deserves a look. */
export const exitCodeOf = (results: readonly Finding["result"][]): number => {
  if (results.includes("failed")) return 1;
  return results.includes("warning") ? 3 : 0;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The directory itself, or the closest one above it that exists. */
function existing(directory: string): string {
  const full = path.resolve(directory);
  return existsSync(full) ? full : existing(path.dirname(full));
}

/** A sentence about the database; throws if the service could not start with it. Writes nothing. */
async function lookInto(database: Database): Promise<string> {
  const { version, number, creates } = await serverFacts(database);
  if (number < 150_000)
    throw new ConfigError(`DATABASE_URL: PostgreSQL ${version} is too old; 15 is the oldest`);
  if (!creates) throw new ConfigError("DATABASE_URL: this user cannot create tables in the database");
  const pending = await pendingMigrations(database);
  return `PostgreSQL ${version}; the start will run ${pending} ${pending === 1 ? "migration" : "migrations"}`;
}

async function checkEmpty(dataDir: string): Promise<string> {
  const place = existing(dataDir);
  const refuse = (why: string) => new ConfigError(`DATA_DIR: ${dataDir} cannot hold a database: ${why}`);
  if (!(await stat(place)).isDirectory()) throw refuse(`${place} is a file`);
  await access(place, constants.W_OK).catch(() => {
    throw refuse(`this user cannot write to ${place}`);
  });
  return `none yet; the start creates one in ${dataDir}`;
}

async function checkDatabase(config: Config): Promise<string> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === undefined) {
    const files = await readdir(within(dataDir)).catch(() => []);
    if (files.length === 0) return checkEmpty(dataDir);
  }
  const database = await openDatabase(config).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return error.message;
    throw error;
  });
  // Often the service itself, which is about to be restarted.
  if (typeof database === "string") return `not opened: ${database}`;
  try {
    return await lookInto(database);
  } finally {
    await database.close();
  }
}

class Warning extends Error {}

async function checkIssuer(issuer: string): Promise<string> {
  try {
    await readDiscovery(issuer);
    return `${issuer} answers`;
  } catch (error) {
    const why = reasonOf(error);
    if (error instanceof ConfigError) throw error;
    // A start ignores it: the issuer can recover.
    const sentence = why.startsWith(issuer) ? why : `${issuer} cannot be used: ${why}`;
    throw new Warning(`TRUSTED_ISSUERS: ${sentence}; its tokens are refused until it answers`, {
      cause: error,
    });
  }
}

async function checkMail(config: Config, mail: MailSettings): Promise<string> {
  const { host, port } = mail.server;
  const transport = await transportOf(config, mail);
  try {
    await transport.check();
    return `${host}:${port} answers; mail is from ${mail.from.address}`;
  } catch (error) {
    // A start ignores it: mails wait until the server can be used.
    throw new Warning(
      `SMTP_URL: ${host}:${port} cannot be used: ${reasonOf(error)}; mails wait until it can`,
      {
        cause: error,
      },
    );
  }
}

/** Repos that share a name, of which the check tells so many. */
const TOLD = 5;

/** Tries the registry with the service's own token, as far as there is a database with its keys. */
async function checkRegistry(config: Config, settings: RegistrySettings): Promise<string> {
  if (config.databaseUrl === undefined && !(await holdsDatabase(config.dataDir)))
    return `${settings.url} was not tried: the first start makes the keys for it`;
  const database = await openDatabase(config);
  try {
    if ((await pendingMigrations(database)) > 0 || !(await hasRegistryKeys(database)))
      return `${settings.url} was not tried: the next start makes the keys for it`;
    const client = createRegistryClient(settings, createRegistrySigner(settings, database));
    await client.check().catch((error: unknown) => {
      // A start ignores it: what waits is looked at later.
      throw new Warning(`REGISTRY_URL: ${settings.url} cannot be used: ${reasonOf(error)}`, { cause: error });
    });
    const collisions = await readCollisions(database, TOLD);
    const names = collisions.map(
      ({ namespace, name, repos }) => `${namespace}/${name} (${repos.join(", ")})`,
    );
    if (names.length > 0)
      throw new Warning(
        `REGISTRY_URL: several repos of one organization have a name, and answer to nobody until all but one are renamed: ${names.join("; ")}`,
      );
    return `${settings.url} takes this service's tokens`;
  } finally {
    await database.close();
  }
}

/**
 * Checks what a start needs, without starting: configuration, database, room on the disk, trusted issuers, the mail server, the registry. Changes
 * nothing, except that the embedded engine recovers a database that was not closed.
 */
export async function* check(variables: Variables): AsyncGenerator<Finding> {
  const tried = async (what: Finding["what"], work: () => Promise<string>): Promise<Finding> => {
    try {
      return { result: "ok", what, sentence: await work() };
    } catch (error) {
      const result = error instanceof Warning ? "warning" : "failed";
      return { result, what, sentence: messageOf(error) };
    }
  };
  let config: Config;
  try {
    config = readConfig(variables);
  } catch (error) {
    for (const sentence of messageOf(error).split("\n"))
      yield { result: "failed", what: "configuration", sentence };
    return;
  }
  for (const sentence of unknownVariables(variables))
    yield { result: "warning", what: "configuration", sentence };
  yield await tried("configuration", async () => {
    if (config.logo !== undefined) readLogo(config.logo);
    return `for ${config.publicUrl}`;
  });
  const room =
    config.databaseUrl === undefined
      ? await tried("disk", () => checkRoomToOpen(config.dataDir, existing(config.dataDir)))
      : undefined;
  if (room) yield room;
  // A full disk is a reason for the database not to open; one of the two is enough to read.
  if (room?.result !== "failed") yield await tried("database", () => checkDatabase(config));
  const issuers = config.trustedIssuers.filter((issuer) => !DEMO_ISSUERS.includes(issuer));
  yield* await Promise.all(issuers.map((issuer) => tried("issuer", () => checkIssuer(issuer))));
  const { mail } = config;
  if (mail) yield await tried("mail", () => checkMail(config, mail));
  const { registry } = config;
  if (registry) yield await tried("registry", () => checkRegistry(config, registry));
}
