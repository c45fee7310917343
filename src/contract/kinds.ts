import type { Access } from "./endpoint";

type Verb = "list" | "get" | "create" | "update" | "delete";

/**
 * One kind of records, as whatever lists kinds needs it: navigation, breadcrumbs, counts, refusals, the service. Data alone,
 * since it is among the first bytes of the console; what the records hold is said by the file of the resource.
 */
export interface Kind {
  /** Plural, as in paths and list envelopes: `roleBindings`. */
  readonly collection: string;
  /** First part of its paths: `iam`. */
  readonly area: string;
  /** For ResourceInfo, without the service domain: `RoleBinding`. */
  readonly type: string;
  /** One and many, in sentences. */
  readonly noun: string;
  readonly plural: string;
  /** The same for those inside a group, where these have words of their own. */
  readonly inside?: readonly [one: string, many: string];
  /** Heading in the navigation. */
  readonly domain: string;
  /** The collection of the records that it lies in. */
  readonly parent: string;
  /** What it does when its parent is to be deleted. */
  readonly withParent: "blocks" | "goes";
  /** Whether it has screens of its own: a list at `listPath` and a page for each record. */
  readonly screens: boolean;
  /** Creating one that is there replaces it: the way to change it (contract 1.11). */
  readonly replaces?: true;
  /** Who may do what, for each standard method that there is; every kind can be listed. */
  readonly access: { readonly list: Access } & Readonly<Partial<Record<Verb, Access>>>;
}

/** Every kind by its collection, in the order of the navigation; a kind comes after those that its records refer to. */
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
    access: {
      list: { at: "visible", needs: ["CAP_IAM_GROUPS_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_GROUPS_LIST"] },
      create: {
        at: "handler",
        needs: ["CAP_IAM_GROUPS_CREATE"],
        because: "the parent may be empty: a new organization has no group to hold a capability at",
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
    access: {
      list: { at: "visible", needs: ["CAP_IAM_ROLES_LIST"] },
      get: {
        at: "handler",
        needs: ["CAP_IAM_ROLES_LIST"],
        because: "a built-in role lies under no group, so that there is none to hold a capability at",
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
    access: {
      list: { at: "visible", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      get: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
      create: { at: "parent", needs: ["CAP_IAM_ROLE_BINDINGS_CREATE"] },
      update: { at: "uid", needs: ["CAP_IAM_ROLE_BINDINGS_UPDATE"] },
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
    replaces: true,
    access: {
      list: { at: "visible", needs: ["CAP_TAG_LIST"] },
      get: { at: "uid", needs: ["CAP_TAG_LIST"] },
      create: { at: "parent", needs: ["CAP_TAG_CREATE"] },
      delete: { at: "uid", needs: ["CAP_TAG_DELETE"] },
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** A copy may stand in for the registry: what follows from it takes any list of kinds. */
export const kinds: readonly Kind[] = Object.values(KINDS);

export const kindOf = (collection: string, among = kinds): Kind | undefined =>
  among.find((kind) => kind.collection === collection);

/** What lies directly in a record of a collection. */
export const kindsIn = (collection: string, among = kinds): Kind[] =>
  among.filter(({ parent }) => parent === collection);

/** A collection with a mark between its words: `role-bindings`, `role_bindings`. */
export const separated = (collection: string, mark: string): string =>
  collection.replaceAll(/[A-Z]/g, (letter) => `${mark}${letter.toLowerCase()}`);

/** Where the console lists a collection. */
export const listPath = (collection: string): string => `/${separated(collection, "-")}`;

/** One and many of a kind inside a group. */
export const wordsInside = ({ noun, plural, inside }: Kind): readonly [one: string, many: string] =>
  inside ?? [noun, plural];
