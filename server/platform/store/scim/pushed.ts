import type { Queries } from "../database";
import { time } from "../table";

/** Groups that an answer names. */
const NAMED = 100;

/** What the directory of a provider has pushed, in wire form; undefined if there is no such provider. */
export async function readPushed(queries: Queries, provider: string, search: string) {
  const [row] = await queries.query<Record<"users" | "active" | "groups", number> & { pushed: Date | null }>(
    `select (select pushed_at from scim_settings where uid = $1) as pushed,
       (select count(*) from scim_users where provider = $1) as users,
       (select count(*) from scim_users where provider = $1 and active) as active,
       (select count(*) from scim_groups where provider = $1) as groups
     from identity_providers where uid = $1`,
    [provider],
  );
  if (!row) return undefined;
  const groups = await queries.query<{ key: string; name: string; members: number }>(
    `select key, name, (select count(*) from scim_members m where m.group_id = g.id) as members
     from scim_groups g where provider = $1 and (strpos(name_key, lower($2)) > 0 or strpos(key, $2) > 0)
     order by name_key, id limit ${NAMED}`,
    [provider, search],
  );
  return {
    userCount: row.users,
    activeUserCount: row.active,
    groupCount: row.groups,
    ...(row.pushed && { pushTime: time(row.pushed) }),
    groups: groups.map(({ key, name, members }) => ({
      externalGroupId: key,
      name,
      ...(members > 0 && { memberCount: members }),
    })),
  };
}
