import { parentOf } from "platform-contract/aip";
import type { externalGroupRoleMappings } from "platform-contract/iam/external-group-role-mappings";
import type { InputOf } from "platform-contract/resource";

import type { Queries } from "../../platform/store/database";
import {
  standardSort,
  TIMES,
  times,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";

type MappingInput = InputOf<typeof externalGroupRoleMappings>;
type MappingRow = Timed & Texts<"uid" | "external_group_id" | "role_uid" | "scope">;

export const externalGroupRoleMappingsTable: RecordTable<MappingInput, MappingRow> = {
  name: "external_group_role_mappings",
  joins: "",
  columns: `t.uid, t.external_group_id, t.role_uid, t.scope, ${TIMES}`,
  // A mapping has no name of its own: it sorts by that of the group.
  sort: { ...standardSort, name: { sql: "lower(t.external_group_id)", type: "text" } },
  filters: { identityProviderUid: (uid, bind) => `t.parent = ${bind(uid)}` },
  toItem: (row) => ({
    uid: row.uid,
    identityProviderUid: parentOf(row.uid),
    externalGroupId: row.external_group_id,
    roleUid: row.role_uid,
    scope: row.scope,
    ...times(row),
  }),
  toRow: ({ externalGroupId, roleUid, scope }) => ({
    // How its letters are composed does not tell two groups apart.
    external_group_id: externalGroupId.normalize("NFC"),
    role_uid: roleUid,
    scope,
  }),
};

/** The roles that the mappings of an identity provider give, and where. */
export const rolesMappedBy = (
  queries: Queries,
  provider: string,
): Promise<{ readonly role: string; readonly scope: string }[]> =>
  queries.query(
    "select distinct role_uid as role, scope from external_group_role_mappings where parent = $1",
    [provider],
  );

/** Those of these groups that a mapping of an identity provider names. */
export async function mappedGroups(
  queries: Queries,
  provider: string,
  groups: readonly string[],
): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `select distinct external_group_id as id from external_group_role_mappings
     where parent = $1 and external_group_id = any($2::text[])`,
    [provider, groups.map((group) => group.normalize("NFC"))],
  );
  return rows.map(({ id }) => id);
}

/** True if an identity provider has mappings. */
export async function hasMappings(queries: Queries, provider: string): Promise<boolean> {
  const rows = await queries.query("select 1 from external_group_role_mappings where parent = $1 limit 1", [
    provider,
  ]);
  return rows.length > 0;
}
