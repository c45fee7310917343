import type { Migration } from "./migration";

const LISTED = [
  "groups",
  "roles",
  "identities",
  "account_associations",
  "repos",
  "identity_providers",
  "terms",
];

export default {
  id: "044-names-without-case",
  statements: [
    // Lists by name ignore case: "Zebra" follows "apple". The indexes by the name itself stay, to find a name.
    ...LISTED.map((table) => `create index ${table}_name_folded on ${table} (lower(name), uid)`),
    "create index advisories_name_folded on advisories (lower(artifact_name), uid) where deleted_at is null",
    "create index group_invites_name_folded on group_invites (lower(email), uid)",
    "drop index external_group_role_mappings_name",
    "create index external_group_role_mappings_name on external_group_role_mappings (lower(external_group_id), uid)",
    "drop index subscriptions_sink",
    "create index subscriptions_sink on subscriptions (lower(sink), uid)",
    "drop index artifacts_name",
    "drop index artifacts_ecosystem",
    "create index artifacts_name on artifacts (lower(name), uid)",
    "create index artifacts_ecosystem on artifacts (ecosystem, lower(name), uid)",
    "drop index groups_tree",
    "create index groups_tree on groups (parent, lower(name), uid)",
    // A tag's name is found by the constraint that it is unique in its repo.
    "drop index tags_name",
    "drop index tags_plain_name",
    "drop index tags_root_name",
    "create index tags_name on tags (parent, lower(name), uid)",
    "create index tags_plain_name on tags (parent, lower(name), uid) where family = ''",
    "create index tags_root_name on tags (left(uid, 40), family, lower(name), uid)",
  ],
} satisfies Migration;
