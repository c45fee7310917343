import { hashKey } from "@tanstack/react-query";

import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

import { call } from "./client";

/** A create whose answer never came: it may have worked. */
export interface LostCreate {
  /** "" for a root group. */
  readonly parent: string;
  readonly body: unknown;
  /** When it was first sent, in ms by this machine's clock. */
  readonly since: number;
}

/** How far the service's clock may be behind this machine's, in ms. */
const SKEW = 5 * 60_000;

/** Whether somebody sends the very same once more. */
export const isResend = (lost: LostCreate | undefined, parent: string, body: unknown): lost is LostCreate =>
  lost?.parent === parent && hashKey([lost.body]) === hashKey([body]);

/** Everything that was asked for is there; the service may have filled in the rest, and leaves out empty texts. */
function contains(asked: unknown, made: unknown): boolean {
  if (asked === undefined || asked === "") return made === undefined || made === "";
  if (typeof asked !== "object" || asked === null || Array.isArray(asked))
    return hashKey([asked]) === hashKey([made]);
  return Object.entries(asked).every(([key, value]) =>
    contains(value, (Object(made) as Record<string, unknown>)[key]),
  );
}

/** Whether a record is what a lost request made. */
export const isOutcome = (
  { body, since }: LostCreate,
  record: { readonly createTime?: string | undefined },
): boolean => contains(body, record) && Date.parse(record.createTime ?? "") >= since - SKEW;

/** The record that a lost request made after all, if it did. Rejects with an ApiError. */
export async function findOutcome<T extends { readonly createTime?: string | undefined }>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  lost: LostCreate,
): Promise<T | undefined> {
  const within = lost.parent === "" ? { "uidp.in_root": true } : { "uidp.children_of": lost.parent };
  // The newest come first: it is among them unless a whole page was made since.
  const query = { ...within, order_by: "created_at desc", page_size: 200 };
  const { items } = await call(list, { query });
  return items.find((record) => isOutcome(lost, record));
}
