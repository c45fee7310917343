import { randomBytes } from "node:crypto";

import { ConfigError, type Config } from "../../config";
import { DEMO_PASSWORD } from "../../demo";
import { createAccount, findAccountByEmail } from "../../platform/oidc/accounts";
import { ensureAdmin } from "../../platform/oidc/admin-account";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { insertRows } from "../../platform/store/table";
import { analyze } from "./seed.table";
import { ensurePerson } from "../../domains/access/people.table";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { apart, bindingUid, scaleUid } from "./scale-plan";

export interface ScaleAccount {
  readonly email: string;
  /** Undefined if the account already existed: only its owner knows the password. */
  readonly password: string | undefined;
  readonly why: string;
}

export const viewerEmail = (groups: number): string => `scale-viewer-${groups}@demo.example`;

/** Seeds the owner, and for each of `places` a viewer of these separate groups. */
export async function seedScalePeople(
  config: Config,
  database: Database,
  places: readonly ScalePlace[],
): Promise<readonly ScaleAccount[]> {
  const accounts = [await owner(config, database)];
  for (const { count, groups } of places) accounts.push(await viewer(config, database, count, groups));
  await analyze(database, ["role_bindings"]);
  return accounts;
}

export interface ScalePlace {
  readonly count: number;
  readonly groups: readonly string[];
}

/** The groups of each `--visible` viewer. Throws a ConfigError if no level has enough groups. */
export const placesFor = (uids: readonly string[], visible: readonly number[]): ScalePlace[] =>
  visible.map((count) => {
    const groups = apart(uids, count);
    if (groups) return { count, groups };
    throw new ConfigError(`--visible: no level of the organization has ${count} groups`);
  });

async function owner(config: Config, database: Database): Promise<ScaleAccount> {
  const { adminEmail: email, adminPassword } = config;
  const known = await findAccountByEmail(database, email);
  const first = known || !config.loopback ? undefined : DEMO_PASSWORD;
  const made = await ensureAdmin({ config, database }, { email, password: adminPassword ?? first });
  await bind(database, await person(config, database, made.subject, email), [scaleUid], "owner");
  return { email, password: adminPassword ?? made.password ?? first, why: "the owner of the organization" };
}

async function viewer(
  config: Config,
  database: Database,
  count: number,
  groups: readonly string[],
): Promise<ScaleAccount> {
  const email = viewerEmail(count);
  const known = await findAccountByEmail(database, email);
  const first = config.loopback ? DEMO_PASSWORD : randomBytes(15).toString("base64url");
  const password = known ? undefined : first;
  const { subject } = known ?? (await createAccount({ config, database }, { email, password: first }));
  await bind(database, await person(config, database, subject, email), groups, "viewer");
  return {
    email,
    password,
    why: `sees ${count.toLocaleString("en")} ${count === 1 ? "group" : "separate groups"}`,
  };
}

const person = (config: Config, database: Database, subject: string, email: string): Promise<string> =>
  ensurePerson(database, config.issuer, subject, { email });

async function bind(
  database: Database,
  identity: string,
  groups: readonly string[],
  role: string,
): Promise<void> {
  const [role_uid, at] = [builtInRoleUid(role), now()];
  const rows = groups.map((parent) => ({
    uid: bindingUid(parent, identity, role_uid),
    parent,
    identity_uid: identity,
    role_uid,
    created_at: at,
    updated_at: at,
  }));
  await insertRows(database, "role_bindings", rows, { skips: true });
}
