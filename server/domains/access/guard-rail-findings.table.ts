import { isExcepted } from "platform-contract/iam/guard-rail-rules";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { bindingsBreaking, distrusted, isMisnamed, namedCollection } from "./guard-rail-breaches.table";
import { rolesAbout, type Rail } from "./guard-rails.table";

/** A record that breaks a guard rail today. */
export interface Finding {
  readonly kind: string;
  readonly uid: string;
  readonly name: string;
  readonly group: string;
  readonly groupName: string;
  readonly identity?: string;
  readonly role?: string;
  readonly roleName?: string;
  readonly expirationTime?: string | undefined;
  readonly sentence: string;
}

/** Where findings come from, in the order of the list: the collection, and what breaks there after a uid. */
export interface FindingSource {
  readonly kind: string;
  /** At most `limit` records after this uid, with those that break it; `last` if there may be more. */
  read(after: string, limit: number): Promise<{ found: Finding[]; last: string | undefined }>;
}

interface NamedRow {
  readonly uid: string;
  readonly name: string;
  readonly group: string;
  readonly group_name: string;
}

const below = (column: string): string =>
  `${column} > $1 || '/' and ${column} < $1 || '0' and ${column} > $2`;

const dateOf = (time: Date): string => time.toISOString().slice(0, 10);

const lastOf = (rows: readonly { readonly uid: string }[], limit: number): string | undefined =>
  rows.length < limit ? undefined : rows.at(-1)?.uid;

const BINDING_SENTENCE: Readonly<Record<string, (end: Date | null) => string>> = {
  GUARD_RAIL_KIND_NO_MACHINES: () => "A machine has this role",
  GUARD_RAIL_KIND_END_REQUIRED: (end) => (end ? `Ends too late, on ${dateOf(end)}` : "Has no end"),
};

/** What would give a role without an end and without a request: invites, mappings, default roles. */
const GIVING = [
  [
    "groupInvites",
    "This invite gives access that breaks it",
    `select t.uid, coalesce(nullif(t.email, ''), 'anyone with its link') as name, t.parent as "group",
       g.name as group_name, t.role_uid as role, r.name as role_name
     from group_invites t join groups g on g.uid = t.parent join roles r on r.uid = t.role_uid
     where ${below("t.uid")} and t.role_uid = any($4::text[]) and t.expires_at > $5 order by t.uid limit $3`,
  ],
  [
    "externalGroupRoleMappings",
    "People of this group at the identity provider don't get this role",
    `select t.uid, t.external_group_id as name, t.scope as "group", g.name as group_name, t.role_uid as role,
       r.name as role_name
     from external_group_role_mappings t join groups g on g.uid = t.scope join roles r on r.uid = t.role_uid
     where left(t.uid, 40) = left($1, 40) and t.uid > $2 and (t.scope = $1 or starts_with(t.scope, $1 || '/'))
       and t.role_uid = any($4::text[]) and $5::timestamptz is not null order by t.uid limit $3`,
  ],
  [
    "identityProviders",
    "People who sign in for the first time don't get this default role",
    `select t.uid, t.name, t.parent as "group", g.name as group_name, t.default_role as role, r.name as role_name
     from identity_providers t join groups g on g.uid = t.parent join roles r on r.uid = t.default_role
     where ${below("t.uid")} and t.default_role = any($4::text[]) and $5::timestamptz is not null
     order by t.uid limit $3`,
  ],
] as const;

/** What a guard rail's findings are among, for its kind. */
export function sourcesOf(queries: Queries, rail: Rail): FindingSource[] {
  let about: Promise<string[]> | undefined;
  const roles = () => (about ??= rolesAbout(queries, rail));
  const bindings: FindingSource = {
    kind: "roleBindings",
    async read(after, limit) {
      const rows = await bindingsBreaking(queries, rail, { roles: await roles(), after, limit });
      return {
        last: lastOf(rows, limit),
        found: rows.map((row) => ({
          kind: "roleBindings",
          uid: row.uid,
          name: row.identity_name,
          identity: row.identity,
          group: row.group,
          groupName: row.group_name,
          role: row.role,
          roleName: row.role_name,
          expirationTime: row.expires_at?.toISOString(),
          sentence: BINDING_SENTENCE[rail.kind]?.(row.expires_at) ?? "",
        })),
      };
    },
  };
  const giving = GIVING.map(([kind, sentence, sql]): FindingSource => ({
    kind,
    async read(after, limit) {
      const rows = await queries.query<NamedRow & { role: string; role_name: string }>(sql, [
        rail.parent,
        after,
        limit,
        await roles(),
        now(),
      ]);
      return {
        last: lastOf(rows, limit),
        found: rows.map((row) => ({
          kind,
          uid: row.uid,
          name: row.name,
          group: row.group,
          groupName: row.group_name,
          role: row.role,
          roleName: row.role_name,
          sentence,
        })),
      };
    },
  }));
  switch (rail.kind) {
    case "GUARD_RAIL_KIND_NO_MACHINES":
      return [bindings];
    case "GUARD_RAIL_KIND_END_REQUIRED":
      return [bindings, ...giving];
    case "GUARD_RAIL_KIND_SECOND_PERSON":
      return giving;
    case "GUARD_RAIL_KIND_ALLOWED_ISSUERS":
      return [recognized(queries, rail)];
    case "GUARD_RAIL_KIND_NAME_PATTERN":
      return named(queries, rail);
    default:
      return [];
  }
}

const recognized = (queries: Queries, rail: Rail): FindingSource => ({
  kind: "identities",
  async read(after, limit) {
    const rows = await queries.query<NamedRow & { relationship: string; definition: unknown }>(
      `select t.uid, t.name, t.parent as "group", g.name as group_name, t.relationship, t.definition
       from identities t join groups g on g.uid = t.parent where ${below("t.uid")} order by t.uid limit $3`,
      [rail.parent, after, limit],
    );
    return {
      last: lastOf(rows, limit),
      found: rows.flatMap(({ uid, name, group, group_name: groupName, relationship, definition }) => {
        const field = distrusted(rail, { [relationship]: definition });
        if (field === undefined) return [];
        return [{ kind: "identities", uid, name, group, groupName, sentence: `Breaks it by its ${field}` }];
      }),
    };
  },
});

function named(queries: Queries, rail: Rail): FindingSource[] {
  const kind = namedCollection(rail);
  if (kind === undefined) return [];
  return [
    {
      kind,
      async read(after, limit) {
        const rows = await queries.query<NamedRow>(
          `select t.uid, t.name, t.parent as "group", g.name as group_name
           from ${kind} t join groups g on g.uid = t.parent where ${below("t.uid")} order by t.uid limit $3`,
          [rail.parent, after, limit],
        );
        return {
          last: lastOf(rows, limit),
          found: rows.flatMap(({ uid, name, group, group_name: groupName }) =>
            isMisnamed(rail, name)
              ? [{ kind, uid, name, group, groupName, sentence: "Has another name" }]
              : [],
          ),
        };
      },
    },
  ];
}

/** When the last exception that covers a finding ends; undefined if none does now. */
export function exceptionEndOf({ exceptions }: Rail, finding: Finding): string | undefined {
  const { identity = finding.uid, uid, group } = finding;
  const time = now().getTime();
  const ends = exceptions.flatMap((one) =>
    isExcepted([one], { identity, within: [group, uid] }, time) ? [one.expirationTime] : [],
  );
  return ends.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}
