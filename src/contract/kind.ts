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
  /** What it does when its parent is to be deleted; what lapses blocks that until it has expired or was accepted, and then goes. */
  readonly withParent: "blocks" | "goes" | "lapses";
  /** Whether it has screens of its own: a list at `listPath` and a page for each record. */
  readonly screens: boolean;
  /** Creating one that is there replaces it: the way to change it (contract 1.11). */
  readonly replaces?: true;
  /** One for each parent, whose uid it has. */
  readonly keyedByParent?: true;
  /** Who may do what, for each standard method that there is; every kind can be listed. */
  readonly access: { readonly list: Access } & Readonly<Partial<Record<Verb, Access>>>;
}
