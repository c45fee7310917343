import type { Endpoint } from "platform-contract/endpoint";
import { ALL_KINDS } from "platform-contract/registry/tags";
import { countedList, type ListAnswer, type ListQuery } from "platform-contract/resource";

import { kindIn, type Collection, type SnapshotRow } from "./format";

/** Most tags in one snapshot: they are held in memory. */
export const MOST_TAGS = 100_000;

/** The list of a kind with all that the service answers, fields that this version does not know included. */
export const listOf = (collection: Collection) =>
  countedList(kindIn(collection)) as Endpoint<ListQuery, undefined, ListAnswer<SnapshotRow>>;

/** All records of a kind below a group, or all that are visible. */
export const queryOf = (collection: Collection, group: string | undefined): ListQuery => ({
  ...(group !== undefined && { "uidp.descendants_of": group }),
  ...(collection === "tags" && ALL_KINDS),
  order_by: "uid",
});
