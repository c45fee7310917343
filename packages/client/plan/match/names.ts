import { kinds } from "platform-contract/kinds";

import { COLLECTIONS, textAt, type Collection } from "../../snapshots/format";
import type { UidOfCreated } from "../planned";
import { segmentOf } from "../state";

/** Which record is meant: by its uid, or one that the plan creates. */
export type Target = { readonly uid: string } | UidOfCreated;

/** Kinds that are planned, those that others refer to first: the order of creating them, and of deleting them backwards. */
export const ORDER = kinds
  .map(({ collection }) => collection as Collection)
  .filter((collection) => collection !== "tags" && COLLECTIONS.includes(collection));

export const isUidOf = (target: Target): target is { readonly uid: string } => "uid" in target;
export const keyOf = (target: Target): string => (isUidOf(target) ? target.uid : target.ref);
export const valueOf = (target: Target): string | UidOfCreated => (isUidOf(target) ? target.uid : target);

/** Where no two records of a kind can be, by the uid of their group. */
export const slot = (collection: Collection, parent: string, name: string): string =>
  JSON.stringify([collection, parent, name]);
export const slotOfBinding = (parent: string, identity: string, role: string): string =>
  slot("roleBindings", parent, JSON.stringify([identity, role]));

/** A path by names, with one name more. */
export const joined = (above: string, name: string): string =>
  above === "" ? segmentOf(name) : `${above}/${segmentOf(name)}`;

/** What a binding says of its identity or role. */
export const saidOf = (row: Readonly<Record<string, unknown>>, what: "identity" | "role") => ({
  uid: textAt(row, `${what}Uid`) || textAt(row[what], "uid"),
  name: textAt(row[what], "email") || textAt(row[what], "name"),
});

/** What a record is called in its group. */
export const nameIn = (collection: Collection, row: Readonly<Record<string, unknown>>): string =>
  collection === "roleBindings"
    ? `${saidOf(row, "identity").name || saidOf(row, "identity").uid}, ${saidOf(row, "role").name || saidOf(row, "role").uid}`
    : textAt(row, "name") || textAt(row, "email");
