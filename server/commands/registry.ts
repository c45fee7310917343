import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { isUid } from "platform-contract/aip";

import type { Command } from "../command-line";
import { ConfigError, readConfig, type Config, type RegistrySettings } from "../config";
import { createLog } from "../log";
import { reasonOf } from "../reason";
import { syncRegistry } from "../domains/registry/registry-sync";
import type { RegistryDifference } from "../domains/registry/registry-sync.table";
import { renameNamespace } from "../domains/registry/namespaces.table";
import { createRegistryClient } from "../platform/registry/client";
import { loadRegistryKeys, registryCertificates, registryKeys } from "../platform/registry/keys";
import { readRepository } from "../platform/registry/names";
import { createRegistrySigner } from "../platform/registry/tokens";
import { now } from "../platform/store/clock";
import type { Database } from "../platform/store/database";
import { migrate } from "../platform/store/migrate";
import { packageIngest } from "./ingest/packages";
import { openExisting } from "../platform/store/open";

const USAGE = `platform-console registry certificate
  writes the certificates of the keys that sign the registry's tokens: the rootcertbundle of Distribution 2.8
platform-console registry jwks
  writes the same keys for Distribution 3: its jwks
platform-console registry sync [--once] [--dry-run]
  compares with the registry and mends tags and repos here; every hour until it is stopped, or once. A dry run says what
  differs, and ends. Exit code 3 if something differs that was not mended.
platform-console registry namespace <organization> <name>
  gives an organization (by uid) another name in the registry
Uses the database of DATA_DIR (stop the service first) or DATABASE_URL; and REGISTRY_URL. docs/registry.md says more.`;

const HOUR_MS = 3_600_000;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Connected {
  readonly config: Config;
  readonly settings: RegistrySettings;
  readonly database: Database;
}

const WORDS: Readonly<Record<RegistryDifference["difference"], string>> = {
  DIFFERENCE_NO_ORGANIZATION: "belongs to no organization",
  DIFFERENCE_AMBIGUOUS: "is the name of several repos: rename all but one",
  DIFFERENCE_REPO_MISSING: "has no repo here",
  DIFFERENCE_TAG_MISSING: "is not here",
  DIFFERENCE_TAG_GONE: "is not in the registry",
  DIFFERENCE_OTHER_DIGEST: "names another image",
  DIFFERENCE_UNREADABLE: "cannot be read",
};

const tell = ({ repository, reference, difference, detail, mended }: RegistryDifference): void =>
  void process.stdout.write(
    `${mended ? "mended" : "differs"}  ${repository}${reference && `:${reference}`} ${WORDS[difference]}${detail && ` (${detail})`}\n`,
  );

/** Returns the exit code: 3 if something differs that was not mended. */
async function sync({ database, settings }: Connected, once: boolean, isDry: boolean): Promise<number> {
  const client = createRegistryClient(settings, createRegistrySigner(settings, database));
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  const context = { database, client, ingest: packageIngest(database), log: createLog("warn") };
  const options = { isDry, takesEmpty: once, isOver: () => stop.signal.aborted, tell };
  for (;;) {
    const { repositories, differences } = await syncRegistry(context, options);
    const left = differences.filter(({ mended }) => !mended).length;
    say(
      `${repositories} repositories, ${differences.length} differences, ${differences.length - left} mended.`,
    );
    if (once || isDry || stop.signal.aborted) return left > 0 ? 3 : 0;
    await sleep(HOUR_MS, undefined, { signal: stop.signal }).catch(() => {});
    if (stop.signal.aborted) return 0;
  }
}

async function rename({ config, database }: Connected, organization = "", name = ""): Promise<number> {
  if (!isUid(organization) || organization.includes("/"))
    throw new ConfigError(`"${organization}" is not the uid of an organization`);
  if (!readRepository(`${name}/x`)) throw new ConfigError(`"${name}" is not a name that a registry takes`);
  let before: string | undefined;
  try {
    await database.transaction(
      async (queries) => {
        before = await renameNamespace(queries, organization, name);
        if (before === undefined)
          throw new ConfigError("there is no such organization, or the name belongs to another one");
      },
      () => ({
        issuer: config.issuer,
        subject: "command",
        identity: "",
        arrival: { requestId: "", address: "", transport: "command" },
        act: {
          action: "registry.rename",
          kind: "groups",
          uid: organization,
          group: organization,
          changes: [{ field: "namespace", before: JSON.stringify(before), after: JSON.stringify(name) }],
        },
      }),
    );
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new Error("the namespace was not changed", { cause: error });
  }
  say(
    `The organization is ${name} in the registry now, not ${before}. Its images are still under ${before}: copy them, then run sync.`,
  );
  return 0;
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { once: { type: "boolean" }, "dry-run": { type: "boolean" } },
  });
  const [command = "", ...rest] = positionals;
  const counts: Readonly<Record<string, number>> = { certificate: 0, jwks: 0, sync: 0, namespace: 2 };
  if (counts[command] !== rest.length) throw new ConfigError(USAGE);
  const config = readConfig(process.env);
  const { registry: settings } = config;
  if (!settings)
    throw new ConfigError("REGISTRY_URL: set it, the address of the registry (docs/registry.md)");
  const database = await openExisting(config, "using it");
  try {
    await migrate(database);
    // Keys that are too old are replaced by a start, not by looking at them.
    await loadRegistryKeys(database, 0, now());
    const connected = { config, settings, database };
    if (command === "certificate")
      process.stdout.write(await registryCertificates(database, settings.issuer, now()));
    if (command === "jwks") process.stdout.write(`${JSON.stringify(await registryKeys(database))}\n`);
    if (command === "sync") return await sync(connected, values.once === true, values["dry-run"] === true);
    if (command === "namespace") return await rename(connected, ...rest);
    return 0;
  } finally {
    await database.close();
  }
}

export const command: Command = {
  usage: USAGE,
  async run(args) {
    try {
      process.exitCode = await run(args);
    } catch (error) {
      say(reasonOf(error));
      process.exitCode = 2;
    }
  },
};
