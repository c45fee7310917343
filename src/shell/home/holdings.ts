import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { isPerson } from "~/frame/scope/people";
import { parentOf } from "platform-contract/aip";
import type { Kind } from "platform-contract/kind";
import { kinds, listPath, wordsInside } from "platform-contract/kinds";
import { countedList, type ListAnswer } from "platform-contract/resource";
import { scopeQuery } from "~/frame/scope/scope";
import { uidToParam } from "~/frame/scope/uid-param";
import { inOrder } from "~/domains/vulnerabilities/advisories/ids";
import { capitalize } from "~/ui/display/capitalize";
import type { LinkTarget } from "~/ui/layout/link";
import { shorten } from "~/ui/display/shorten";

/** A record of any kind, with the fields that this page uses. */
export interface RecentRecord {
  readonly uid: string;
  readonly name?: string | undefined;
  readonly createTime?: string | undefined;
  readonly updateTime?: string | undefined;
  readonly advisoryId?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly artifactName?: string | undefined;
  readonly artifactArchitecture?: string | undefined;
  readonly sink?: string | undefined;
  readonly email?: string | undefined;
  readonly identity?: { readonly name?: string | undefined; readonly email?: string | undefined };
  readonly role?: { readonly name?: string | undefined };
  readonly group?: { readonly name?: string | undefined };
}

/** Number of newest records to read of each kind. */
const NEWEST = 6;

/** What a count leaves out, as the list that it opens does. */
const NOTES: Readonly<Record<string, string>> = {
  tags: "without dated tags, build tags and signatures",
};

/** The same for a scope, whose list has what belongs to it: that of everything has people and built-in roles too. */
const NOTES_OF_SCOPE: Readonly<Record<string, string>> = { roles: "besides the built-in ones" };

/** What the count of a kind leaves out; undefined if nothing. `group`: undefined for everything. */
export const noteOf = ({ kind: { collection } }: RecentKind, group: string | undefined): string | undefined =>
  NOTES[collection] ?? (group === undefined ? undefined : NOTES_OF_SCOPE[collection]);

/** Kinds whose records are in groups, and any other kind that has its own list screen. */
export const HELD = kinds
  .filter(({ parent, screens }) => parent === "groups" || screens)
  .map((kind) => ({ kind, list: countedList(kind) }));
export type RecentKind = (typeof HELD)[number];

/**
 * Requests the most recently changed records of a kind and their total, in one request. `group`: undefined for
 * everything that the user can see.
 */
export function newestQuery({ kind, list }: RecentKind, group: string | undefined) {
  const query = {
    ...scopeQuery({ group, reach: "below" }),
    order_by: "updated_at desc",
    page_size: NEWEST,
  };
  return queryOptions({
    queryKey: [kind.collection, "newest", query] as const,
    meta: { requests: () => [{ endpoint: list, query }] } satisfies QueryFacts,
    queryFn: async ({ signal }): Promise<ListAnswer<RecentRecord>> => call(list, { query, signal }),
  });
}

/** Names of records without a name of their own, from the related records that responses embed. */
const NAMES: Readonly<Partial<Record<string, (record: RecentRecord) => string | undefined>>> = {
  roleBindings: ({ identity, role, group }) =>
    identity && `${identity.email || identity.name}, ${role?.name ?? "?"} in ${group?.name ?? "?"}`,
  groupInvites: ({ email, role }) => role && `${role.name} for ${email || "anyone with the link"}`,
  advisories: ({ advisoryId, aliases, artifactName, artifactArchitecture = "" }) => {
    const id = inOrder(aliases)[0] ?? advisoryId;
    return id && artifactName ? `${id} in ${artifactName} ${artifactArchitecture}`.trimEnd() : id;
  },
  subscriptions: ({ sink }) => sink,
};

export const nameOf = ({ collection }: Kind, record: RecentRecord): string =>
  NAMES[collection]?.(record) || record.name || shorten(record.uid);

/** Noun for one record: "Folder", "Role binding". An identity at the root level is a person. */
export function wordOf(kind: Kind, { uid }: RecentRecord): string {
  if (kind.collection === "identities" && isPerson(uid)) return "Person";
  return capitalize(
    parentOf(uid) === "" && kind.collection === "groups" ? "organization" : wordsInside(kind)[0],
  );
}

export const pageOf = ({ collection, screens }: Kind, { uid }: RecentRecord): LinkTarget | undefined =>
  screens ? { to: `${listPath(collection)}/$uid`, params: { uid: uidToParam(uid) } } : undefined;

/** Links to the list of a kind in the scope. `search` adds filters or a drawer. */
export const listOf = (
  collection: string,
  group: string | undefined,
  search: Readonly<Record<string, string>> = {},
): LinkTarget => ({
  to: listPath(collection),
  search: { ...(group !== undefined && { group: uidToParam(group) }), ...search },
});
