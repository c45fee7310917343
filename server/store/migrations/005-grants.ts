import type { Migration } from "./migration";

export const grants: Migration = {
  id: "005-grants",
  statements: [
    // Every request asks what an identity holds where: the index alone answers it, in the order that the roles are
    // gathered in. One without the role left a thousand rows to be fetched and sorted.
    `create index role_bindings_grants on role_bindings (identity_uid, role_uid, parent)`,
    `drop index role_bindings_identity`,
  ],
};
