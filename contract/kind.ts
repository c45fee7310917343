import type { Access } from "./endpoint";

type Verb = "list" | "get" | "create" | "update" | "delete";

/**
 * One kind of record, for everything that lists kinds: navigation, breadcrumbs, counts, refusals, the service. Data
 * only, since it is among the first bytes of the console; the file of the resource defines the fields.
 */
export interface Kind {
  /** Plural, as in paths and list envelopes: `roleBindings`. */
  readonly collection: string;
  /** First part of its paths: `iam`. */
  readonly area: string;
  /** Second part of its paths, if it is not `v2`. */
  readonly version?: "v1" | "v2";
  /** For ResourceInfo, without the service domain: `RoleBinding`. */
  readonly type: string;
  /** Singular and plural, in sentences. */
  readonly noun: string;
  readonly plural: string;
  /** The same for records inside a group, if those have other words. */
  readonly inside?: readonly [one: string, many: string];
  /** Heading in the navigation. */
  readonly domain: string;
  /** The collection of its parent records. */
  readonly parent: string;
  /** When its parent is deleted: blocks that, goes too, or `lapses`: blocks until expired or accepted, then goes. */
  readonly withParent: "blocks" | "goes" | "lapses";
  /** True if it has its own screens: a list at `listPath` and a page for each record. */
  readonly screens: boolean;
  /** An extension: the key of config.json that says that the service has it. */
  readonly extension?: "guardRails" | "eligibleGrants";
  /** Creating an existing record replaces it: the way to change it. */
  readonly replaces?: true;
  /** Its reads answer as of a time, too. */
  readonly readTime?: true;
  /** One per parent, with the parent's uid. */
  readonly keyedByParent?: true;
  /** The required access for each standard method that exists; every kind can be listed. */
  readonly access: { readonly list: Access } & Readonly<Partial<Record<Verb, Access>>>;
}

/** The path of a kind's records: `/iam/v2/roles`. */
export const pathOfKind = ({
  area,
  version = "v2",
  collection,
}: Pick<Kind, "area" | "version" | "collection">): string => `/${area}/${version}/${collection}`;
