import { createHash, randomBytes } from "node:crypto";

import { importedEntries } from "../../platform/audit/imported";
import { storeRecognition, type Recognised } from "../../platform/access/recognition";
import type { Config } from "../../config";
import { DEMO_PASSWORD, demoPeople, WORKFORCE } from "../../demo";
import { recognitionOf } from "../../domains/identities/identities.table";
import { createAccount, findAccount, findAccountByEmail } from "../../platform/oidc/accounts";
import { giveNamespaces } from "../../domains/registry/namespaces.table";
import { appendEntries, unlogged } from "../../platform/store/audit";
import { now } from "../../platform/store/clock";
import { within, type Database, type Queries, type Row } from "../../platform/store/database";
import { nameOf } from "../../domains/organization/groups.table";
import { insertRows, updateRow } from "../../platform/store/table";
import { isStarted, removeUnbound, unbind } from "./seed.table";
import { hashOf, newCode } from "../../domains/access/group-invites.table";
import { ensurePerson } from "../../domains/access/people.table";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { personUid } from "../../platform/store/uids";
import { seedAgreements } from "./demo-agreements";
import {
  ACCOUNTS,
  CUSTOM_ROLES,
  descriptionOf,
  FOLDERS,
  INVITES,
  MACHINES,
  ORGANIZATION,
  PEOPLE,
  PROVIDERS,
  type Binding,
  type Machine,
} from "./demo-data";
import { seedLibraries } from "./demo-libraries";
import { seedRegistry } from "./demo-registry";
import { seedAdvisories } from "./demo-security";
import { assertMatchesContract } from "./matches-contract";

const HOUR = 3_600_000;

/**
 * Hours since the first records of each kind were created. A record is never older than those it belongs or refers to:
 * folders come before the first images (700 days), roles and people before their bindings.
 */
const AGES = {
  organization: 18_000,
  folders: 17_900,
  roles: 16_000,
  /** Older than the people who sign in there. */
  providers: 15_400,
  machines: 14_500,
  people: 12_000,
  accounts: 9_000,
  /** At most, and at least. */
  bindings: [5_100, 100],
} as const;

/** Hex digits derived from a text, so that every installation has the same uids and subjects. */
const hex = (text: string, length: number): string =>
  createHash("sha256").update(`demo\n${text}`).digest("hex").slice(0, length);

const organizationUid = hex(ORGANIZATION, 40);

/** The machine identity of `automation` in the demo organization. */
export const AUTOMATION_UID = `${organizationUid}/${hex("automation", 16)}`;

const groupUid = (path: readonly string[]): string =>
  path.reduce(
    (parent, _, index) => `${parent}/${hex(path.slice(0, index + 1).join("/"), 16)}`,
    organizationUid,
  );

const customRoleUid = (name: string): string => `${organizationUid}/${hex(`role ${name}`, 16)}`;

const roleUid = (name: string): string => (name in CUSTOM_ROLES ? customRoleUid(name) : builtInRoleUid(name));

export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly why: string;
}

/**
 * The initial values for the account ADMIN_EMAIL as the demo's owner: a name and, if the service is only reachable from
 * this machine, the demo password. Empty without a demo; no password for an existing account.
 */
export async function demoAdmin(
  config: Config,
  database: Database,
): Promise<{ name?: string | undefined; password?: string | undefined }> {
  if (config.seed !== "demo") return {};
  const name = demoPeople(config.adminEmail)[0]?.name;
  const known = await findAccountByEmail(database, config.adminEmail);
  return { name, password: known || !config.loopback ? undefined : DEMO_PASSWORD };
}

/**
 * Writes the demo organization into a database without groups and demo accounts, in one transaction.
 * @param owner the subject of ADMIN_EMAIL, who becomes its owner
 * @returns the other accounts that it created, or undefined if there was nothing to do
 */
export async function seedDemo(
  config: Config,
  database: Database,
  owner: string,
): Promise<readonly DemoAccount[] | undefined> {
  const emails = ACCOUNTS.map(({ email }) => email);
  if (await isStarted(database, emails)) return undefined;
  return database.transaction(async (queries) => {
    await unlogged(queries);
    const insert = inserter(queries, now().getTime());
    await seedGroups(insert);
    await giveNamespaces(queries);
    await seedRoles(insert);
    await seedMachines(config, queries, insert);
    await seedProviders(insert);
    await seedRegistry(queries, groupUid);
    await seedAdvisories(queries, organizationUid);
    await seedLibraries(queries);
    const accounts = await seedPeople(config, queries, insert);
    const { name } = (await findAccount(queries, owner)) ?? {};
    await ensurePerson(queries, config.issuer, owner, { email: config.adminEmail, name });
    await backdate(queries, personUid(config.issuer, owner), AGES.organization + 1);
    await bind(insert, personUid(config.issuer, owner), { at: [], role: "owner" }, AGES.organization);
    await seedInvites(insert, personUid(config.issuer, owner));
    await seedAgreements({
      insert,
      groupUid,
      identityUid: machineUid,
      leaf: (text) => hex(text, 16),
      owner,
    });
    await assertMatchesContract(queries, organizationUid);
    // They were not made here and now, nor by anybody in them.
    await appendEntries(queries, await importedEntries(queries, organizationUid));
    return accounts;
  });
}

type Insert = (table: string, row: Row, ageInHours: number) => Promise<void>;

/** Inserts rows with an age: a console where everything was created this second is not instructive. */
function inserter(queries: Queries, start: number): Insert {
  return async (table, row, age) => {
    const created = new Date(start - age * HOUR);
    // About a third was changed later.
    const changed = hex(String(row["uid"]), 1) < "5" ? new Date(start - (age / 3) * HOUR) : created;
    await insertRows(queries, table, [{ ...row, created_at: created, updated_at: changed }]);
  };
}

async function seedGroups(insert: Insert): Promise<void> {
  const kind = "ORG_KIND_CUSTOMER";
  const description = "The demo organization: container images of a freight carrier";
  await insert(
    "groups",
    { uid: organizationUid, parent: null, name: ORGANIZATION, description, kind },
    AGES.organization,
  );
  let age: number = AGES.folders;
  for (const [department, teams] of Object.entries(FOLDERS))
    for (const path of [[department], ...teams.map((team) => [department, team])]) {
      const name = path.at(-1) ?? "";
      const [uid, parent] = [groupUid(path), groupUid(path.slice(0, -1))];
      await insert("groups", { uid, parent, name, description: descriptionOf(name), kind }, (age -= 15));
    }
}

async function seedRoles(insert: Insert): Promise<void> {
  let age: number = AGES.roles;
  for (const [name, { description, capabilities }] of Object.entries(CUSTOM_ROLES)) {
    const row = { uid: customRoleUid(name), parent: organizationUid, name, description };
    await insert("roles", { ...row, capabilities: [...capabilities] }, (age -= 100));
  }
}

/** Records for display only: there is no server at their URLs. docs/operate/connect.md describes how to try one. */
async function seedProviders(insert: Insert): Promise<void> {
  let age: number = AGES.providers;
  for (const { name, description, oidc, groups } of PROVIDERS) {
    const uid = `${organizationUid}/${hex(`provider ${name}`, 16)}`;
    const row = { uid, parent: organizationUid, name, description, default_role: builtInRoleUid("viewer") };
    await insert("identity_providers", { ...row, oidc }, (age -= 900));
    for (const [group, role] of Object.entries(groups))
      await insert(
        "external_group_role_mappings",
        {
          uid: `${uid}/${hex(`mapping ${group}`, 16)}`,
          parent: uid,
          external_group_id: group,
          role_uid: roleUid(role),
          scope: organizationUid,
        },
        (age -= 31),
      );
  }
}

const machineUid = (at: readonly string[], name: string): string =>
  `${groupUid(at)}/${hex(`identity ${at.join("/")} ${name}`, 16)}`;

/** Static keys that expire in `hours`. */
const withEnd = ({ staticKeys }: Machine["relationship"], hours: number): Machine["relationship"] => ({
  staticKeys: {
    ...Object(staticKeys),
    expirationTime: new Date(now().getTime() + hours * HOUR).toISOString(),
  },
});

async function seedMachines(config: Config, queries: Queries, insert: Insert): Promise<void> {
  let age: number = AGES.machines;
  for (const { at, name, description = "", keysEnd, seen, role, claims: _, ...machine } of MACHINES) {
    const uid = machineUid(at, name);
    age -= 80;
    const relationship =
      keysEnd === undefined ? machine.relationship : withEnd(machine.relationship, keysEnd);
    const { definition, ...recognition } = recognitionOf({ name, ...relationship }, undefined);
    const usedAt = new Date(now().getTime() - (seen ?? age) * HOUR);
    const row = { uid, parent: groupUid(at), name, description, ...recognition, last_seen_at: usedAt };
    await insert("identities", { ...row, definition }, age);
    await storeRecognition(queries, uid, config.trustedIssuers, relationship as Recognised, {});
    if (role) await bind(insert, uid, { at, role });
  }
}

/** Backdates an identity: created `age` hours ago, last seen `seen` hours ago; without `seen`, this stays as it is. */
async function backdate(queries: Queries, uid: string, age: number, seen?: number): Promise<void> {
  const at = (hours: number) => new Date(now().getTime() - hours * HOUR);
  const created = at(age);
  await updateRow(queries, "identities", uid, {
    created_at: created,
    updated_at: created,
    ...(seen !== undefined && { last_seen_at: at(seen) }),
  });
}

async function seedPeople(config: Config, queries: Queries, insert: Insert): Promise<DemoAccount[]> {
  for (const [index, { name, bindings }] of PEOPLE.entries()) {
    const uid = await ensurePerson(queries, WORKFORCE, hex(`person ${name}`, 20), { name });
    await backdate(queries, uid, AGES.people - index * 211, index % 6 === 5 ? undefined : (index * 17) % 300);
    for (const binding of bindings) await bind(insert, uid, binding);
  }
  const accounts: DemoAccount[] = [];
  for (const { email, name, bindings, why } of ACCOUNTS) {
    const password = config.loopback ? DEMO_PASSWORD : randomBytes(15).toString("base64url");
    const account = { email, name, password, subject: hex(`account ${email}`, 32) };
    const { subject } = await createAccount({ config, database: within(queries) }, account);
    const uid = await ensurePerson(queries, config.issuer, subject, { email, name });
    await backdate(queries, uid, AGES.accounts);
    for (const binding of bindings) await bind(insert, uid, binding);
    accounts.push({ email, password, why });
  }
  return accounts;
}

async function bind(
  insert: Insert,
  identity: string,
  { at, role }: Binding,
  createdAt?: number,
): Promise<void> {
  const parent = groupUid(at);
  const key = hex(`binding ${parent} ${identity} ${role}`, 16);
  const [most, least] = AGES.bindings;
  const age = createdAt ?? least + (Number.parseInt(key.slice(0, 4), 16) % (most - least));
  await insert(
    "role_bindings",
    { uid: `${parent}/${key}`, parent, identity_uid: identity, role_uid: roleUid(role) },
    age,
  );
}

/** Nobody knows their codes: what is shown once was never shown. */
async function seedInvites(insert: Insert, inviter: string): Promise<void> {
  for (const [index, { at, role, email = "", singleUse = false, age, lives }] of INVITES.entries()) {
    const parent = groupUid(at);
    const row = {
      uid: `${parent}/${hex(`invite ${index}`, 16)}`,
      parent,
      role_uid: roleUid(role),
      email,
      single_use: singleUse,
      expires_at: new Date(now().getTime() + (lives - age) * HOUR),
      code_hash: hashOf(newCode()),
      created_by: inviter,
      inviters: [inviter],
    };
    await insert("group_invites", row, age);
  }
}

/**
 * Makes the client `automation` an owner of the demo organization if it has a secret, and revokes that otherwise. Runs
 * at every start, since the variable can come and go; writes only what is missing. Its binding is on a machine identity
 * of the organization that its tokens match, so that it is listed with the other machines.
 */
export async function bindAutomation(config: Config, database: Database): Promise<void> {
  const uid = AUTOMATION_UID;
  const unwanted = config.automationClientSecret === undefined;
  const bound = `${organizationUid}/${hex("automation binding", 16)}`;
  // Before its identity, in a transaction of its own: the log then names whose binding it was. Those of earlier versions had
  // the uid of the identity.
  await database.transaction((queries) => unbind(queries, unwanted ? [uid, bound] : [uid]));
  await database.transaction(async (queries) => {
    if ((await nameOf(queries, organizationUid)) === undefined) return;
    if (unwanted) return removeUnbound(queries, uid);
    const claimMatch = { issuer: config.issuer, subject: "automation" };
    const name = "automation";
    const { definition, ...recognition } = recognitionOf({ name, claimMatch }, undefined);
    const description = "Signs in with client credentials, and owns this organization";
    const at = now();
    const row = { uid, parent: organizationUid, created_at: at, updated_at: at };
    const identity = { ...row, name, description, ...recognition, definition, last_seen_at: at };
    await insertRows(queries, "identities", [identity], { skips: true });
    const binding = { ...row, uid: bound, identity_uid: uid, role_uid: builtInRoleUid("owner") };
    await insertRows(queries, "role_bindings", [binding], { skips: true });
  });
}
