import { capabilities, effectOf } from "platform-contract/iam/capabilities";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";

/** A role binding with the names around it. */
export interface NamedBinding {
  readonly uid: string;
  readonly group: string;
  readonly groupName: string | null;
  readonly role: string;
  readonly roleName: string | null;
  readonly capabilities: readonly string[];
  readonly until: Date | null;
  /** The group of its identity; null for a person. */
  readonly home: string | null;
}

/** The role bindings of identities at some groups with at least one of the capabilities, also those that have ended. */
export const bindingsWith = (
  queries: Queries,
  {
    identities,
    groups,
    capabilities,
  }: {
    readonly identities: readonly string[];
    readonly groups: readonly string[];
    readonly capabilities: readonly string[];
  },
): Promise<NamedBinding[]> =>
  queries.query<NamedBinding>(
    `select b.uid, b.parent as "group", g.name as "groupName", b.role_uid as role, r.name as "roleName",
       r.capabilities, b.expires_at as until, i.parent as home
     from role_bindings b join roles r on r.uid = b.role_uid left join groups g on g.uid = b.parent
       left join identities i on i.uid = b.identity_uid
     where b.identity_uid = any($1::text[]) and b.parent = any($2::text[]) and r.capabilities && $3::text[]
     order by length(b.parent), r.name, b.uid limit 100`,
    [identities, groups, capabilities],
  );

export interface RoleOption {
  readonly uid: string;
  readonly name: string;
  /** What it gives besides what is asked and held. */
  readonly adds: readonly string[];
}

const UNCHANGING = capabilities.filter(({ wire }) => effectOf(wire) !== "changes").map(({ wire }) => wire);

/**
 * Built-in roles and those of some groups that have all of the asked capabilities; first those that let their holder
 * change the least besides what is held, then those that give the least.
 */
export const rolesWith = (
  queries: Queries,
  {
    groups,
    asked,
    held,
  }: {
    readonly groups: readonly string[];
    readonly asked: readonly string[];
    readonly held: readonly string[];
  },
): Promise<RoleOption[]> =>
  queries.query<RoleOption>(
    `select uid, name, adds from roles
       cross join lateral (select array(select unnest(capabilities) except select unnest($2::text[] || $3::text[])
         order by 1) as adds) as more
     where (position('/' in uid) = 0 or parent = any($1::text[])) and capabilities @> $2::text[]
     order by cardinality(array(select unnest(adds) except select unnest($4::text[]))), cardinality(adds),
       cardinality(capabilities), name, uid
     limit 5`,
    [groups, asked, held, UNCHANGING],
  );

/** True if their directory has deactivated the account of a person who signs in here. */
export async function isDeactivated(queries: Queries, identity: string, issuer: string): Promise<boolean> {
  const [found] = await queries.query(
    `select 1 from identities i join upstream_accounts a on a.subject = i.subject
     where i.uid = $1 and i.issuer = $2 and a.deactivated_at <= $3`,
    [identity, issuer, now()],
  );
  return found !== undefined;
}
