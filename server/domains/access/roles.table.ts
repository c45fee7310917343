import { capabilities, builtInSets } from "platform-contract/iam/capabilities";
import type { roles } from "platform-contract/iam/roles";
import type { InputOf } from "platform-contract/resource";

import { now } from "../../platform/store/clock";
import type { Database, Queries } from "../../platform/store/database";
import {
  standardSort,
  TIMES,
  times,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";
import { uidOf } from "../../platform/store/uids";

const KNOWN = new Set(capabilities.map(({ wire }) => wire));

/** Omits stored values that are no longer known, without an error. */
export const roleCapabilities = (stored: readonly string[]): string[] =>
  stored.filter((capability) => KNOWN.has(capability));

const BY_NAME = new Map(
  capabilities.flatMap((facts) => [[facts.wire, facts] as const, [facts.dotted, facts] as const]),
);

/** A capability by its wire or dotted name. */
export const capabilityNamed = (name: string) => BY_NAME.get(name);

/** Deduplicated wire names; dotted names are accepted, but never returned. */
export const wireNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => BY_NAME.get(name)?.wire ?? name)),
];

type RoleRow = Timed & Texts<"uid" | "name" | "description"> & { readonly capabilities: readonly string[] };

export const rolesTable: RecordTable<InputOf<typeof roles>, RoleRow> = {
  name: "roles",
  joins: "",
  columns: `t.uid, t.name, t.description, t.capabilities, ${TIMES}`,
  sort: standardSort,
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    description: row.description,
    capabilities: roleCapabilities(row.capabilities),
    ...times(row),
  }),
  toRow: ({ name, description = "", capabilities }) => ({
    name,
    description,
    capabilities: wireNames(capabilities),
  }),
};

/** A role's capabilities as they are stored; undefined if there is no such role. */
export async function capabilitiesOf(queries: Queries, role: string): Promise<readonly string[] | undefined> {
  const [row] = await queries.query<RoleRow>("select capabilities from roles where uid = $1", [role]);
  return row?.capabilities;
}

/** Like capabilitiesOf, but keeps the role from being changed or deleted until a reference to it is written. */
export async function lockRole(queries: Queries, role: string): Promise<readonly string[] | undefined> {
  const [row] = await queries.query<RoleRow>("select capabilities from roles where uid = $1 for share", [
    role,
  ]);
  return row?.capabilities;
}

/** These roles, with when they last changed. */
export const readRoles = (queries: Queries, uids: readonly string[]): Promise<RoleRow[]> =>
  queries.query("select uid, updated_at, capabilities from roles where uid = any($1::text[])", [uids]);

/** References to roles: table, column, and the words for the table's rows. */
const USES = [
  ["role_bindings", "role_uid", "role bindings"],
  ["eligible_grants", "role_uid", "eligible grants"],
  ["identity_providers", "default_role", "identity providers"],
  ["external_group_role_mappings", "role_uid", "group mappings"],
] as const;

/** What refers to a role, in words: it cannot be deleted before. */
export async function usesOf(queries: Queries, role: string): Promise<string[]> {
  const tests = USES.map(
    ([table, column, words]) => `('${words}', exists (select 1 from ${table} where ${column} = $1))`,
  );
  const used = await queries.query<{ words: string }>(
    `select words from (values ${tests.join(", ")}) as use (words, present) where present`,
    [role],
  );
  return used.map(({ words }) => words);
}

const wire = (dotted: string): string[] => {
  const names = dotted.split(" ");
  return capabilities
    .filter((capability) => names.includes(capability.dotted))
    .map((capability) => capability.wire);
};

const REGISTRY_PULL =
  "groups.list record_signatures.list sboms.list vuln_reports.list repo.blobs.get repo.list manifest.list tag.list manifest.metadata.list referrers.list";

/** The roles that every organization has, by name. */
const BUILT_IN: Readonly<
  Record<string, { readonly title: string; readonly capabilities: readonly string[] }>
> = {
  owner: { title: "Owner", capabilities: builtInSets.owner },
  editor: { title: "Editor", capabilities: builtInSets.editor },
  viewer: { title: "Viewer", capabilities: builtInSets.viewer },
  console_viewer: { title: "Console Viewer", capabilities: builtInSets.console_viewer },
  "registry.pull": { title: "Registry Pull", capabilities: wire(REGISTRY_PULL) },
  "registry.pull_token_creator": {
    title: "Registry Pull Token Creator",
    capabilities: wire(
      `${REGISTRY_PULL} roles.list role_bindings.create identity.create apk.list apk.blobs.get`,
    ),
  },
  "apk.pull": { title: "APK Pull", capabilities: wire("groups.list apk.list apk.blobs.get") },
};

/** The uid of a built-in role, the same in every installation; viewer has the published one. */
export const builtInRoleUid = (name: string): string =>
  name === "viewer" ? "63921b2c44617e3f2603851537be0123af4a57d7" : uidOf(name);

/** Writes the built-in roles of this version; runs at every start, since the sets grow with the platform. */
export async function ensureBuiltInRoles(database: Database): Promise<void> {
  const at = now();
  for (const [name, { title, capabilities: held }] of Object.entries(BUILT_IN))
    await database.query(
      `insert into roles (uid, name, description, capabilities, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
       on conflict (uid) do update set description = excluded.description, capabilities = excluded.capabilities,
         updated_at = excluded.updated_at
       where roles.description <> excluded.description or roles.capabilities <> excluded.capabilities`,
      [builtInRoleUid(name), name, `${title} Role (built-in)`, [...held], at],
    );
}
