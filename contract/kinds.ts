import type { Kind } from "./kind";

/** Access to identity providers, and to the records in them. */
const SIGN_IN = {
  list: { at: "visible", needs: ["CAP_IAM_IDENTITY_PROVIDERS_LIST"] },
  get: { at: "uid", needs: ["CAP_IAM_IDENTITY_PROVIDERS_LIST"] },
  create: { at: "parent", needs: ["CAP_IAM_IDENTITY_PROVIDERS_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"] },
  update: { at: "uid", needs: ["CAP_IAM_IDENTITY_PROVIDERS_UPDATE", "CAP_IAM_ROLE_BINDINGS_CREATE"] },
  delete: { at: "uid", needs: ["CAP_IAM_IDENTITY_PROVIDERS_DELETE"] },
} as const;

/** All kinds by collection, in navigation order; a kind comes after those that its records refer to. */
export const KINDS = {
  groups: {
    collection: "groups",
    area: "iam",
    type: "Group",
    noun: "group",
    plural: "groups",
    inside: ["folder", "folders"],
    domain: "Access",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    readTime: true,
    access: {
      list: { at: "visible", needs: ["CAP_IAM_GROUPS_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_GROUPS_LIST"] },
      create: {
        at: "handler",
        needs: ["CAP_IAM_GROUPS_CREATE"],
        because: "the parent can be empty: a new organization has no group to hold a capability at",
      },
      update: { at: "uid", needs: ["CAP_IAM_GROUPS_UPDATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_GROUPS_DELETE"] },
    },
  },
  identities: {
    collection: "identities",
    area: "iam",
    type: "Identity",
    noun: "identity",
    plural: "identities",
    domain: "Access",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    readTime: true,
    access: {
      list: { at: "visible", needs: ["CAP_IAM_IDENTITY_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_IDENTITY_LIST"] },
      create: { at: "parent", needs: ["CAP_IAM_IDENTITY_CREATE"] },
      update: { at: "uid", needs: ["CAP_IAM_IDENTITY_UPDATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_IDENTITY_DELETE"] },
    },
  },
  roles: {
    collection: "roles",
    area: "iam",
    type: "Role",
    noun: "role",
    plural: "roles",
    domain: "Access",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    readTime: true,
    access: {
      list: { at: "visible", needs: ["CAP_IAM_ROLES_LIST"] },
      get: {
        at: "handler",
        needs: ["CAP_IAM_ROLES_LIST"],
        because: "a built-in role has no parent group to hold a capability at",
      },
      create: { at: "parent", needs: ["CAP_IAM_ROLES_CREATE"] },
      update: { at: "uid", needs: ["CAP_IAM_ROLES_UPDATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_ROLES_DELETE"] },
    },
  },
  roleBindings: {
    collection: "roleBindings",
    area: "iam",
    type: "RoleBinding",
    noun: "role binding",
    plural: "role bindings",
    domain: "Access",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    readTime: true,
    access: {
      list: { at: "visible", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      create: { at: "parent", needs: ["CAP_IAM_ROLE_BINDINGS_CREATE"] },
      update: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_UPDATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_DELETE"] },
    },
  },
  groupInvites: {
    collection: "groupInvites",
    area: "iam",
    type: "GroupInvite",
    noun: "invite",
    plural: "invites",
    domain: "Access",
    parent: "groups",
    withParent: "lapses",
    screens: true,
    access: {
      list: { at: "visible", needs: ["CAP_IAM_GROUP_INVITES_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_GROUP_INVITES_LIST"] },
      create: { at: "parent", needs: ["CAP_IAM_GROUP_INVITES_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"] },
      update: { at: "uid", needs: ["CAP_IAM_GROUP_INVITES_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_GROUP_INVITES_DELETE"] },
    },
  },
  identityProviders: {
    collection: "identityProviders",
    area: "iam",
    type: "IdentityProvider",
    noun: "identity provider",
    plural: "identity providers",
    domain: "Access",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    access: SIGN_IN,
  },
  externalGroupRoleMappings: {
    collection: "externalGroupRoleMappings",
    area: "iam",
    type: "ExternalGroupRoleMapping",
    noun: "group mapping",
    plural: "group mappings",
    domain: "Access",
    parent: "identityProviders",
    withParent: "blocks",
    screens: false,
    access: SIGN_IN,
  },
  guardRails: {
    collection: "guardRails",
    area: "access",
    version: "v1",
    type: "GuardRail",
    noun: "guard rail",
    plural: "guard rails",
    domain: "Access",
    parent: "groups",
    withParent: "goes",
    screens: true,
    extension: "guardRails",
    access: {
      list: { at: "visible", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      create: { at: "parent", needs: ["CAP_IAM_GROUPS_UPDATE", "CAP_IAM_ROLE_BINDINGS_CREATE"] },
      update: { at: "uid", needs: ["CAP_IAM_GROUPS_UPDATE", "CAP_IAM_ROLE_BINDINGS_CREATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_GROUPS_UPDATE", "CAP_IAM_ROLE_BINDINGS_CREATE"] },
    },
  },
  eligibleGrants: {
    collection: "eligibleGrants",
    area: "access",
    version: "v1",
    type: "EligibleGrant",
    noun: "eligible grant",
    plural: "eligible grants",
    domain: "Access",
    parent: "groups",
    withParent: "goes",
    screens: false,
    extension: "eligibleGrants",
    access: {
      list: { at: "visible", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      create: { at: "parent", needs: ["CAP_IAM_ROLE_BINDINGS_CREATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_DELETE"] },
    },
  },
  repos: {
    collection: "repos",
    area: "registry",
    type: "Repo",
    noun: "repo",
    plural: "repos",
    domain: "Registry",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    readTime: true,
    access: {
      list: { at: "visible", needs: ["CAP_REPO_LIST"] },
      get: { at: "uid", needs: ["CAP_REPO_LIST"] },
      create: { at: "parent", needs: ["CAP_REPO_CREATE"] },
      update: { at: "uid", needs: ["CAP_REPO_UPDATE"] },
      delete: { at: "uid", needs: ["CAP_REPO_DELETE"] },
    },
  },
  tags: {
    collection: "tags",
    area: "registry",
    type: "Tag",
    noun: "tag",
    plural: "tags",
    domain: "Registry",
    parent: "repos",
    withParent: "goes",
    screens: true,
    readTime: true,
    replaces: true,
    access: {
      list: { at: "visible", needs: ["CAP_TAG_LIST"] },
      get: { at: "uid", needs: ["CAP_TAG_LIST"] },
      create: { at: "parent", needs: ["CAP_TAG_CREATE"] },
      delete: { at: "uid", needs: ["CAP_TAG_DELETE"] },
    },
  },
  accountAssociations: {
    collection: "accountAssociations",
    area: "iam",
    type: "AccountAssociation",
    noun: "account association",
    plural: "account associations",
    domain: "Organization",
    parent: "groups",
    withParent: "goes",
    screens: true,
    keyedByParent: true,
    access: {
      list: { at: "visible", needs: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_LIST"] },
      create: { at: "parent", needs: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_CREATE"] },
      update: { at: "uid", needs: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_UPDATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_DELETE"] },
    },
  },
  terms: {
    collection: "terms",
    area: "iam",
    type: "Terms",
    noun: "terms document",
    plural: "terms",
    domain: "Organization",
    parent: "groups",
    withParent: "lapses",
    screens: true,
    access: {
      list: { at: "visible", needs: ["CAP_TERMS_LIST"] },
      get: { at: "uid", needs: ["CAP_TERMS_LIST"] },
      create: {
        at: "handler",
        needs: ["CAP_IAM_GROUPS_UPDATE"],
        because: "the body distinguishes a new document from an acceptance",
      },
      update: { at: "uid", needs: ["CAP_IAM_GROUPS_UPDATE"] },
      delete: { at: "uid", needs: ["CAP_IAM_GROUPS_UPDATE"] },
    },
  },
  subscriptions: {
    collection: "subscriptions",
    area: "events",
    type: "Subscription",
    noun: "event subscription",
    plural: "event subscriptions",
    domain: "Organization",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    access: {
      list: { at: "visible", needs: ["CAP_EVENTS_SUBSCRIPTION_LIST"] },
      get: { at: "uid", needs: ["CAP_EVENTS_SUBSCRIPTION_LIST"] },
      create: { at: "parent", needs: ["CAP_EVENTS_SUBSCRIPTION_CREATE"] },
      delete: { at: "uid", needs: ["CAP_EVENTS_SUBSCRIPTION_DELETE"] },
    },
  },
  advisories: {
    collection: "advisories",
    area: "vulnerabilities",
    type: "Advisory",
    noun: "advisory",
    plural: "advisories",
    domain: "Security",
    parent: "groups",
    withParent: "blocks",
    screens: true,
    access: {
      list: { at: "visible", needs: ["CAP_ADVISORIES_LIST"] },
      get: { at: "uid", needs: ["CAP_ADVISORIES_LIST"] },
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** All kinds as a list, those of extensions among them. */
export const everyKind: readonly Kind[] = Object.values(KINDS);

/**
 * The kinds that every service has: what reads or counts all kinds asks for these. Functions with an `among` parameter
 * accept a copy of the registry instead.
 */
export const kinds: readonly Kind[] = everyKind.filter(({ extension }) => extension === undefined);

export const kindOf = (collection: string, among = everyKind): Kind | undefined =>
  among.find((kind) => kind.collection === collection);

/** True if this creates records that can be without a parent: those of a kind that nests in itself. */
export const isAtRoot = ({ collection, verb }: { collection: string; verb: string }): boolean =>
  verb === "create" && kindOf(collection)?.parent === collection;

/** The kinds of the direct children of a collection's records. */
export const kindsIn = (collection: string, among = kinds): Kind[] =>
  among.filter(({ parent }) => parent === collection);

/** A collection with a separator between its words: `role-bindings`, `role_bindings`. */
export const separated = (collection: string, mark: string): string =>
  collection.replaceAll(/[A-Z]/g, (letter) => `${mark}${letter.toLowerCase()}`);

/** The console's path of a collection's list. */
export const listPath = (collection: string): string => `/${separated(collection, "-")}`;

/** Singular and plural of a kind inside a group. */
export const wordsInside = ({ noun, plural, inside }: Kind): readonly [one: string, many: string] =>
  inside ?? [noun, plural];
