import { parentOf } from "platform-contract/aip";

import { standardSort, TIMES, times, type Table } from "../../platform/store/table";

export const externalGroupRoleMappingsTable: Table = {
  name: "external_group_role_mappings",
  joins: "",
  columns: `t.uid, t.external_group_id, t.role_uid, t.scope, ${TIMES}`,
  // A mapping has no name of its own: it sorts by that of the group.
  sort: { ...standardSort, name: { sql: "lower(t.external_group_id)", type: "text" } },
  filters: { identityProviderUid: (uid, bind) => `t.parent = ${bind(uid)}` },
  toItem: (row) => ({
    uid: row["uid"],
    identityProviderUid: parentOf(String(row["uid"])),
    externalGroupId: row["external_group_id"],
    roleUid: row["role_uid"],
    scope: row["scope"],
    ...times(row),
  }),
};
