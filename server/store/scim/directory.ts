import { now } from "../clock";
import type { Queries } from "../database";
import { sqlState } from "../retry";
import { later } from "../table";

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly created: Date;
  readonly updated: Date;
}

/** A pushed user. `resource` is in the schema's form, without id, meta and groups. */
export interface StoredUser extends Stored {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly account: string | null;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

export interface StoredGroup extends Stored {
  readonly name: string;
  readonly externalId: string | null;
  /** Ids of users, if they were asked for. */
  readonly members?: readonly string[];
}

const STORED = `t.id, t.version, t.created_at as created, t.updated_at as updated, t.external_id as "externalId"`;
const USER = `${STORED}, t.resource, t.account, t.active, coalesce((select jsonb_agg(jsonb_build_object(
    'id', g.id, 'name', g.name) order by g.name_key) from scim_members m join scim_groups g on g.id = m.group_id
  where m.user_id = t.id), '[]') as groups`;
const GROUP = `${STORED}, t.name`;
const MEMBERS = `coalesce((select array_agg(m.user_id order by m.user_id) from scim_members m
  where m.group_id = t.id), '{}') as members`;

/** What a page of users or groups is about. */
export interface Part {
  readonly provider: string;
  /** Of all in the order of creation. */
  readonly offset: number;
  readonly limit: number;
  /** A column that has this value; the others do not match. */
  readonly where?: {
    readonly column: "id" | "user_name" | "external_id" | "name_key";
    readonly value: string;
  };
  /** Whether groups come with their members. */
  readonly members?: boolean;
}

const TABLES = { users: "scim_users", groups: "scim_groups" } as const;
type Kind = keyof typeof TABLES;

const condition = ({ where }: Pick<Part, "where">): string =>
  `t.provider = $1 ${where ? `and t.${where.column} = $2` : "and $2::text is null"}`;

export async function countStored(
  queries: Queries,
  kind: Kind,
  part: Pick<Part, "provider" | "where">,
): Promise<number> {
  const [row] = await queries.query<{ n: number }>(
    `select count(*) as n from ${TABLES[kind]} t where ${condition(part)}`,
    [part.provider, part.where?.value ?? null],
  );
  return row?.n ?? 0;
}

export function listStored(queries: Queries, kind: "users", part: Part): Promise<StoredUser[]>;
export function listStored(queries: Queries, kind: "groups", part: Part): Promise<StoredGroup[]>;
export function listStored(queries: Queries, kind: Kind, part: Part): Promise<(StoredUser | StoredGroup)[]> {
  const columns = kind === "users" ? USER : part.members === false ? GROUP : `${GROUP}, ${MEMBERS}`;
  return queries.query(
    `select ${columns} from ${TABLES[kind]} t where ${condition(part)} order by t.created_at, t.id
     limit $3 offset $4`,
    [part.provider, part.where?.value ?? null, part.limit, part.offset],
  );
}

/** The values of a user or group that are unique in its directory; false if another one has them. */
async function unlessTaken(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (sqlState(error) === "23505") return false;
    throw error;
  }
}

export interface UserValues {
  readonly userName: string;
  readonly externalId: string | undefined;
  readonly active: boolean;
  readonly resource: object;
  readonly account: string | undefined;
}

/** Inserts a user, or replaces the one with this id. @returns false if name or external id are taken */
export const storeUser = (
  queries: Queries,
  provider: string,
  id: string,
  { userName, externalId, active, resource, account }: UserValues,
): Promise<boolean> =>
  unlessTaken(() =>
    queries.query(
      `insert into scim_users as t
         (id, provider, user_name, external_id, active, resource, account, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6::text::jsonb, $7, $8, $8)
       on conflict (id) do update set user_name = $3, external_id = $4, active = $5, resource = $6::text::jsonb,
         account = $7, version = t.version + 1, updated_at = ${later("t.updated_at", "$8")}`,
      [
        id,
        provider,
        userName.toLowerCase(),
        externalId ?? null,
        active,
        JSON.stringify(resource),
        account ?? null,
        now(),
      ],
    ),
  );

/** The same for a group. */
export const storeGroup = (
  queries: Queries,
  provider: string,
  id: string,
  { name, externalId }: { readonly name: string; readonly externalId: string | undefined },
): Promise<boolean> =>
  unlessTaken(() =>
    queries.query(
      `insert into scim_groups as t (id, provider, name, name_key, external_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6)
       on conflict (id) do update set name = $3, name_key = $4, external_id = $5, version = t.version + 1,
         updated_at = ${later("t.updated_at", "$6")}`,
      [id, provider, name, name.toLowerCase(), externalId ?? null, now()],
    ),
  );

/** Those of these ids that no user of a directory has. */
export async function unknownUsers(
  queries: Queries,
  provider: string,
  ids: readonly string[],
): Promise<string[]> {
  const known = await queries.query<{ id: string }>(
    "select id from scim_users where provider = $1 and id = any($2::text[])",
    [provider, [...ids]],
  );
  const there = new Set(known.map(({ id }) => id));
  return ids.filter((id) => !there.has(id));
}

/** Makes these users the members of a group. @returns ids of those who came and went */
export async function storeMembers(
  queries: Queries,
  group: string,
  members: readonly string[],
): Promise<string[]> {
  const gone = await queries.query<{ id: string }>(
    "delete from scim_members where group_id = $1 and not user_id in (select unnest($2::text[])) returning user_id as id",
    [group, [...members]],
  );
  const come = await queries.query<{ id: string }>(
    `insert into scim_members (group_id, user_id) select $1, m.id from unnest($2::text[]) as m (id)
     on conflict do nothing returning user_id as id`,
    [group, [...members]],
  );
  return [...gone, ...come].map(({ id }) => id);
}

export const removeStored = async (queries: Queries, kind: Kind, id: string): Promise<void> => {
  await queries.query(`delete from ${TABLES[kind]} where id = $1`, [id]);
};

/** The accounts of users, by their ids; users without one cannot sign in. */
export async function accountsOf(queries: Queries, users: readonly string[]): Promise<string[]> {
  const rows = await queries.query<{ account: string }>(
    "select account from scim_users where id = any($1::text[]) and account is not null",
    [[...users]],
  );
  return rows.map(({ account }) => account);
}

/** Notes that the directory has written now. */
export const notePush = async (queries: Queries, provider: string): Promise<void> => {
  await queries.query("update scim_settings set pushed_at = $2 where uid = $1", [provider, now()]);
};
