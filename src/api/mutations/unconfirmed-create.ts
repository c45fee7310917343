import { hashKey, type QueryClient } from "@tanstack/react-query";

import { omitPaths } from "platform-contract/behavior";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { call } from "../client/client";
import type { Pages } from "../paging/pages";
import { contains } from "../client/same-value";

/** A create that got no response: it may have worked. */
export interface UnconfirmedCreate {
  /** Repeating the request with this key is safe, if the service keeps keys. */
  readonly key: string;
  /** "" for a root group. */
  readonly parent: string;
  readonly body: unknown;
  readonly query?: object | undefined;
  /** Why, for the audit log. */
  readonly justification?: string | undefined;
  /** A record that was created before this time, in ms by the service's clock, is older than the request. */
  readonly notBefore: number;
  /** Uids that were known before: the request created none of them. */
  readonly before: ReadonlySet<string>;
  /** Paths in the body that no response contains. */
  readonly unanswered?: readonly string[];
}

export interface Created {
  readonly uid: string;
  readonly createTime?: string | undefined;
}

const unconfirmed = new WeakMap<QueryClient, Map<string, readonly UnconfirmedCreate[]>>();

/** The unconfirmed creates of a collection, including those of forms that were closed since. */
export const unconfirmedCreates = (client: QueryClient, collection: string): readonly UnconfirmedCreate[] =>
  unconfirmed.get(client)?.get(collection) ?? [];

export function rememberUnconfirmed(
  client: QueryClient,
  collection: string,
  create: UnconfirmedCreate,
): void {
  const creates = unconfirmed.get(client) ?? new Map<string, readonly UnconfirmedCreate[]>();
  unconfirmed.set(client, creates.set(collection, [...(creates.get(collection) ?? []), create]));
}

export function forgetUnconfirmed(client: QueryClient, collection: string, create: UnconfirmedCreate): void {
  const left = unconfirmedCreates(client, collection).filter((each) => each !== create);
  unconfirmed.get(client)?.set(collection, left);
}

/** True if this sends the same request again. */
export const isResend = (
  create: UnconfirmedCreate,
  { parent, body, justification }: Pick<UnconfirmedCreate, "parent" | "body" | "justification">,
): boolean =>
  create.parent === parent &&
  // With other words it is another request: the service refuses its key.
  create.justification === justification &&
  hashKey([create.body]) === hashKey([body]);

/** The uids of all cached records of a collection. */
export function cachedUids(client: QueryClient, collection: string): Set<string> {
  const uids = new Set<string>();
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: [collection] })) {
    if (queryKey[1] === "get") uids.add(client.getQueryData<Created>(queryKey)?.uid ?? "");
    if (queryKey[1] !== "list") continue;
    for (const { items } of client.getQueryData<Partial<Pages<Created>>>(queryKey)?.pages ?? [])
      for (const { uid } of items) uids.add(uid);
  }
  return uids;
}

/** True if an unconfirmed create made this record. */
export const isCreatedBy = (
  { body, notBefore, before, unanswered = [] }: UnconfirmedCreate,
  record: Created,
): boolean =>
  !before.has(record.uid) &&
  contains(omitPaths({ ...Object(body) }, unanswered), record) &&
  Date.parse(record.createTime ?? "") >= notBefore;

/**
 * Finds the record that an unconfirmed create made, if it worked: it is among the newest of its parent, unless a whole
 * page was created since. Rejects with an ApiError.
 */
export const findCreated = async <T extends Created>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  create: UnconfirmedCreate,
  signal?: AbortSignal,
): Promise<T | undefined> => (await findAllCreated(list, create, signal))[0];

/** The same, with the records that a request made that the browser sent again by itself. */
export async function findAllCreated<T extends Created>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  create: UnconfirmedCreate,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const within = create.parent === "" ? { "uidp.in_root": true } : { "uidp.children_of": create.parent };
  const query = { ...within, order_by: "created_at desc", page_size: 200 };
  const { items } = await call(list, { query, signal });
  return items.filter((record) => isCreatedBy(create, record));
}
