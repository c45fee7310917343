/** The group of an event: the subject itself, its parent, or its organization. */
export type EventGroup = "self" | "parent" | "root";

/** One type of event: what it reports, and to which group. Types are spelled exactly as receivers know them. */
export interface EventType {
  /** `Ce-Type`. */
  readonly type: string;
  /** The collection of the changed record; for an operation, the collection that it writes. */
  readonly collection: string;
  /** A change of one record; or the id of an operation, which sends this one event instead of one per record. */
  readonly on: "created" | "updated" | "deleted" | (string & {});
  readonly group: EventGroup;
  /** Only these fields of the record, or all fields except these. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  /** What happened, as a sentence. */
  readonly meaning: string;
  /** Why this service never sends it. */
  readonly silent?: string;
}

type More = Partial<Pick<EventType, "only" | "without" | "silent">>;

const of =
  (prefix: string, collection: string, group: EventGroup) =>
  (
    name: string,
    on: EventType["on"],
    meaning: string,
    more: More & { group?: EventGroup } = {},
  ): EventType => ({
    type: `dev.chainguard.api.${prefix}.${name}.v1`,
    collection,
    on,
    group,
    ...(on === "deleted" && { only: ["uid"] }),
    meaning,
    ...more,
  });

const group = of("iam.group", "groups", "self");
const identity = of("iam.identity", "identities", "parent");
const role = of("iam.roles", "roles", "parent");
const binding = of("iam.rolebindings", "roleBindings", "parent");
const provider = of("iam.identity_providers", "identityProviders", "parent");
const association = of("iam.account_associations", "accountAssociations", "self");
const invite = of("iam.group_invite", "groupInvites", "parent");
const mapping = of("iam.external_group_role_mappings", "externalGroupRoleMappings", "root");
const repo = of("platform.registry.repo", "repos", "parent");
const tag = of("platform.registry.tag", "tags", "root");
const subscription = of("events.subscription", "subscriptions", "parent");

const TIMES = ["createTime", "updateTime"];

/** All event types of the API's operations, in its order. */
export const EVENT_TYPES: readonly EventType[] = [
  group("created", "created", "A group was created."),
  group("updated", "updated", "A group's name or description changed."),
  group("deleted", "deleted", "A group was deleted.", { group: "parent" }),
  identity("created", "created", "An identity was created."),
  identity("updated", "updated", "An identity or its sign-in rule was changed."),
  identity("deleted", "deleted", "An identity was deleted."),
  identity(
    "metadata.updated",
    "identities.updateIdentityMetadata",
    "Someone changed their own preferences.",
    {
      silent: "it is internal to the platform",
    },
  ),
  role("created", "created", "A custom role was created."),
  role("updated", "updated", "A custom role changed, and with it what its holders can do."),
  role("deleted", "deleted", "A custom role was deleted."),
  binding("created", "created", "Someone was granted a role: directly, through an invite, or at sign-in."),
  binding("updated", "updated", "A role binding was changed."),
  binding("deleted", "deleted", "Someone lost a role."),
  binding("created.batch", "roleBindings.batchCreate", "Several role bindings were created in one request.", {
    group: "self",
  }),
  provider("created", "created", "An identity provider was created.", { without: [...TIMES, "scim"] }),
  provider("updated", "updated", "An identity provider was changed.", { without: [...TIMES, "scim"] }),
  provider("deleted", "deleted", "An identity provider was deleted."),
  provider("scim_token.generated", "identityProviders.generateScimToken", "A SCIM token was created.", {
    without: ["token"],
  }),
  provider("scim_token.regenerated", "identityProviders.regenerateScimToken", "A SCIM token was replaced.", {
    without: ["token"],
  }),
  provider("scim_token.revoked", "identityProviders.revokeScimToken", "A SCIM token was revoked."),
  provider("scim_enabled.updated", "identityProviders.setScimEnabled", "SCIM was turned on or off."),
  association("created", "created", "An account association was created."),
  association("updated", "updated", "An account association was changed."),
  association("deleted", "deleted", "An account association was deleted.", { only: [] }),
  invite("created", "created", "An invite was created. The event never contains its code.", {
    only: ["uid", "expirationTime"],
  }),
  invite("deleted", "deleted", "An invite was revoked, used up, or removed after it expired."),
  mapping("created", "created", "A group at an identity provider was granted a role."),
  mapping("deleted", "deleted", "A group at an identity provider lost a role."),
  mapping(
    "deleted.batch",
    "externalGroupRoleMappings.batchDelete",
    "Several group mappings were deleted in one request.",
  ),
  of("iam.terms", "termsAcceptances", "self")("accepted", "terms.accept", "Terms were accepted for a group."),
  repo("created", "created", "A repo was created."),
  repo("updated", "updated", "A repo, its readme, or what it copies from its source changed."),
  repo("updated", "repos.updateReadme", "A readme was changed."),
  repo("deleted", "deleted", "A repo was deleted."),
  tag("created", "created", "A tag was created."),
  tag("created", "updated", "A tag was moved to another image."),
  tag("deleted", "deleted", "A tag was deleted, by itself or with its repo."),
  subscription("created", "created", "An event subscription was created."),
  subscription("deleted", "deleted", "An event subscription was deleted."),
];

/**
 * An extension: of no change, but of an end to come, 30 days, 7 days and one day before. Its subject is what ends, as in
 * `Ending` (contract/iam/notices.ts), which is the body with `days`.
 */
export const ENDING_TYPE: EventType = {
  type: "platform-console.access.ending.v1",
  collection: "endings",
  on: "ending",
  group: "parent",
  meaning: "A key, role, invite, sync or SCIM token ends in 30 days, 7 days or one day.",
};

/** Changes of records that send no event, because the published catalog has no type for them. */
export const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  groupInvites: ["updated"],
  externalGroupRoleMappings: ["updated"],
  terms: ["created", "updated", "deleted"],
  advisories: ["created", "updated", "deleted"],
  guardRails: ["created", "updated", "deleted"],
  eligibleGrants: ["created", "updated", "deleted"],
};
