import { now } from "../clock";
import type { Queries } from "../database";
import { PAGE_BYTES } from "../lists/list-rows";
import { sqlState } from "../retry";
import { Parameters, type Bind } from "../sql";
import { later } from "../table";

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly created: Date;
  readonly updated: Date;
  /** About how many bytes of an answer it is. */
  readonly weight: number;
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

const STORED = `t.id, t.version, t.created_at as created, t.updated_at as updated, t.external_id as "externalId", t.weight`;
const GROUPS = `coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name_key)
  from scim_members m join scim_groups g on g.id = m.group_id where m.user_id = t.id), '[]') as groups`;
const MEMBERS = `coalesce((select array_agg(m.user_id order by m.user_id) from scim_members m
  where m.group_id = t.id), '{}') as members`;

/** Bytes that a reference to a user or group has in an answer, beside its name. */
const REFERENCE_BYTES = 250;

/** SQL: about how many bytes of an answer a row is. */
const GROUPS_WEIGHT = `coalesce((select sum(octet_length(g.name) + ${REFERENCE_BYTES})
  from scim_members m join scim_groups g on g.id = m.group_id where m.user_id = t.id), 0)`;
const MEMBERS_WEIGHT = `${REFERENCE_BYTES} * (select count(*) from scim_members m where m.group_id = t.id)`;

/** What a page of users or groups is about. */
export interface Part {
  readonly provider: string;
  /** Of all in the order of creation. */
  readonly offset: number;
  readonly limit: number;
  /** A column that has this value; the others do not match. */
  readonly where?:
    | {
        readonly column: "id" | "user_name" | "external_id" | "name_key";
        readonly value: string;
      }
    | undefined;
  /** Only these, by id. */
  readonly ids?: readonly string[];
  /** Only those after this one. */
  readonly after?: Pick<Stored, "id" | "created"> | undefined;
  /** Whether groups come with their members, and users with their groups; true if left out. */
  readonly references?: boolean;
  /** Of users, only these attributes, in lower case. */
  readonly attributes?: readonly string[];
}

const TABLES = { users: "scim_users", groups: "scim_groups" } as const;
type Kind = keyof typeof TABLES;

function conditions({ provider, where, ids, after }: Omit<Part, "offset" | "limit">, bind: Bind): string {
  return [
    `t.provider = ${bind(provider)}`,
    ...(where ? [`t.${where.column} = ${bind(where.value)}`] : []),
    ...(ids ? [`t.id = any(${bind([...ids])}::text[])`] : []),
    ...(after ? [`(t.created_at, t.id) > (${bind(after.created)}, ${bind(after.id)})`] : []),
  ].join(" and ");
}

export async function countStored(
  queries: Queries,
  kind: Kind,
  part: Pick<Part, "provider" | "where">,
): Promise<number> {
  const { values, bind } = new Parameters();
  const [row] = await queries.query<{ n: number }>(
    `select count(*) as n from ${TABLES[kind]} t where ${conditions(part, bind)}`,
    values,
  );
  return row?.n ?? 0;
}

/** Rows that are weighed at a time: a group can have as many members as all others together. */
const AT_ONCE = 50;

/** The first of these rows, as many as fit into a page of about 4 MB, at least one: the others are not read. */
export async function listStored(queries: Queries, kind: "users", part: Part): Promise<StoredUser[]>;
export async function listStored(queries: Queries, kind: "groups", part: Part): Promise<StoredGroup[]>;
export async function listStored(
  queries: Queries,
  kind: Kind,
  part: Part,
): Promise<(StoredUser | StoredGroup)[]> {
  const found: (StoredUser | StoredGroup)[] = [];
  let room = PAGE_BYTES;
  while (found.length < part.limit && room > 0) {
    const limit = Math.min(AT_ONCE, part.limit - found.length);
    const some = { ...part, offset: part.offset + found.length, limit };
    // oxlint-disable-next-line no-await-in-loop -- the room for the next ones depends on these
    const rows = await fitting(queries, kind, some, room);
    found.push(...rows);
    if (rows.length < limit) break;
    room -= rows.reduce((sum, { weight }) => sum + weight, 0);
  }
  return found;
}

async function fitting(queries: Queries, kind: Kind, part: Part, room: number) {
  const { references = true, attributes } = part;
  const { values, bind } = new Parameters();
  const resource =
    attributes && kind === "users"
      ? `coalesce((select jsonb_object_agg(e.key, e.value) from jsonb_each(t.resource) e
         where lower(e.key) = any(${bind([...attributes])}::text[])), '{}') as resource`
      : "t.resource";
  const columns = {
    users: `${STORED}, ${resource}, t.account, t.active, ${references ? GROUPS : "'[]'::jsonb as groups"}`,
    groups: `${STORED}, t.name${references ? `, ${MEMBERS}` : ""}`,
  };
  const weights = {
    users: `t.weight + ${references ? GROUPS_WEIGHT : 0}`,
    groups: `octet_length(t.name) + ${references ? MEMBERS_WEIGHT : 0}`,
  };
  const own = { users: "t.resource, t.account, t.active", groups: "t.name" };
  return queries.query<StoredUser | StoredGroup>(
    `select ${columns[kind]} from (
       select w.*, sum(w.weight) over (order by w.created_at, w.id rows unbounded preceding) as so_far from (
         select t.id, t.version, t.created_at, t.updated_at, t.external_id, ${own[kind]},
           (${weights[kind]})::integer as weight
         from ${TABLES[kind]} t where ${conditions(part, bind)} order by t.created_at, t.id
         limit ${bind(part.limit)} offset ${bind(part.offset)}) w) t
     where t.so_far - t.weight < ${bind(room)} order by t.created_at, t.id`,
    values,
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

/** A name as it has to be unique: neither its case nor how its letters are composed tells two apart (RFC 8264, section 5). */
export const keyText = (name: string): string => name.normalize("NFC").toLowerCase();

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
        keyText(userName),
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
      [id, provider, name, keyText(name), externalId ?? null, now()],
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
    `insert into scim_members (group_id, user_id, organization)
     select g.id, m.id, left(g.provider, 40) from scim_groups g, unnest($2::text[]) as m (id) where g.id = $1
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
