import type { Migration } from "./migration";

export default {
  id: "005-grants",
  statements: [
    // Every request needs an identity's grants: this index alone provides them, in the order in which roles are
    // collected. An index without the role required fetching and sorting a thousand rows.
    `create index role_bindings_grants on role_bindings (identity_uid, role_uid, parent)`,
    `drop index role_bindings_identity`,
  ],
} satisfies Migration;
