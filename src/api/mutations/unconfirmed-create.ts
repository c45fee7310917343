import { hashKey, type QueryClient } from "@tanstack/react-query";

import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

import { call } from "../client/client";
import type { Pages } from "../paging/pages";
import { contains } from "../client/same-value";

/** A create whose answer never came: it may have worked. */
export interface UnconfirmedCreate {
  /** "" for a root group. */
  readonly parent: string;
  readonly body: unknown;
  /** What was made before this, in ms by the service's clock, is older than the request. */
  readonly notBefore: number;
  /** Uids of records that were there before: none of them can be what it made. */
  readonly before: ReadonlySet<string>;
}

export interface Made {
  readonly uid: string;
  readonly createTime?: string | undefined;
}

const lost = new WeakMap<QueryClient, Map<string, readonly UnconfirmedCreate[]>>();

/** The creates of a collection that nobody knows the outcome of, also of forms that were closed since. */
export const unconfirmedCreates = (client: QueryClient, collection: string): readonly UnconfirmedCreate[] =>
  lost.get(client)?.get(collection) ?? [];

export function rememberUnconfirmed(
  client: QueryClient,
  collection: string,
  create: UnconfirmedCreate,
): void {
  const kept = lost.get(client) ?? new Map<string, readonly UnconfirmedCreate[]>();
  lost.set(client, kept.set(collection, [...(kept.get(collection) ?? []), create]));
}

export function forgetUnconfirmed(client: QueryClient, collection: string, create: UnconfirmedCreate): void {
  const left = unconfirmedCreates(client, collection).filter((each) => each !== create);
  lost.get(client)?.set(collection, left);
}

/** Whether somebody sends the very same once more. */
export const isResend = (create: UnconfirmedCreate, parent: string, body: unknown): boolean =>
  create.parent === parent && hashKey([create.body]) === hashKey([body]);

/** The uids of all records of a collection that this page has seen and still holds. */
export function heldUids(client: QueryClient, collection: string): Set<string> {
  const uids = new Set<string>();
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: [collection] })) {
    if (queryKey[1] === "get") uids.add((state.data as Made | undefined)?.uid ?? "");
    if (queryKey[1] !== "list") continue;
    for (const { items } of (state.data as Partial<Pages<Made>> | undefined)?.pages ?? [])
      for (const { uid } of items) uids.add(uid);
  }
  return uids;
}

/** Whether a record is what a lost request made. */
export const isOutcome = ({ body, notBefore, before }: UnconfirmedCreate, record: Made): boolean =>
  !before.has(record.uid) && contains(body, record) && Date.parse(record.createTime ?? "") >= notBefore;

/**
 * The record that a lost request made after all, if it did: among the newest ones where it was to be, unless a whole page
 * was made there since. Rejects with an ApiError.
 */
export async function findOutcome<T extends Made>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  create: UnconfirmedCreate,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const within = create.parent === "" ? { "uidp.in_root": true } : { "uidp.children_of": create.parent };
  const query = { ...within, order_by: "created_at desc", page_size: 200 };
  const { items } = await call(list, { query, signal });
  return items.find((record) => isOutcome(create, record));
}
