import { useInfiniteQuery } from "@tanstack/react-query";

import { infinite, rowsOf } from "~/api/queries/queries";
import { groups } from "platform-contract/iam/groups";
import { by } from "platform-contract/order";
import { formatCount } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";

import { useRecentGroups } from "~/frame/group-tree/recent-groups";
import { useGroup, usePath } from "./group-ancestry";
import { placeText } from "./ancestors";
import { useTopGroups } from "./top-groups";
import { useAncestorNames } from "./use-ancestor-names";

/** A group that a new record can belong to. */
export interface ParentOption {
  readonly uid: string;
  /** The path to it by names, as far as known. */
  readonly label: string;
}

/** A group and its ancestors, topmost first, each labeled with its path. */
function useWay(uid: string | undefined): readonly ParentOption[] {
  const { steps } = usePath(uid);
  const { group } = useGroup(uid);
  const way = uid === undefined ? [] : [...steps, { uid, name: group?.name }];
  const names = way.map(({ uid: each, name }) => name || shorten(each));
  return way.map(({ uid: each }, index) => ({ uid: each, label: names.slice(0, index + 1).join(" / ") }));
}

/** Groups that a choice lists; where there are more, a search finds the rest. */
const LISTED = 50;
const firstPage = infinite(groups.list, { order_by: "name", page_size: LISTED });

const withPath = (
  { uid, name }: { readonly uid: string; readonly name?: string | undefined },
  names: ReadonlyMap<string, string>,
): ParentOption => ({
  uid,
  label: [placeText({ collection: "groups", uid }, names), name || shorten(uid)].filter(Boolean).join(" / "),
});

interface ParentOptions {
  readonly options: readonly ParentOption[];
  /** The name of the search for those that are not listed; undefined if all are. */
  readonly more: string | undefined;
}

/**
 * Possible parents of a new record: all groups by their paths, if one page holds them. Otherwise only likely ones, since a
 * part of all would look like all: the scope, its ancestors, the selected group, those chosen last and the topmost groups.
 */
export function useParentOptions(scope: string | undefined, chosen = scope): ParentOptions {
  const { data, hasNextPage } = useInfiniteQuery(firstPage);
  const { rows, total } = rowsOf(data);
  const above = useAncestorNames(rows);
  const listed = rows.map((group) => withPath(group, above)).toSorted(by(({ label }) => label));
  const { organizations, folders } = useTopGroups();
  const tops = [...organizations, ...folders].map(({ uid, name }) => ({ uid, label: name }));
  const recent = useRecentGroups();
  const names = useAncestorNames(recent);
  const last = recent.map((group) => withPath(group, names));
  const near = [...useWay(scope), ...useWay(chosen).slice(-1)];
  // One that isn't listed stays: it was just created, or is seen by another way.
  const all =
    data && !hasNextPage
      ? [...listed, ...near.filter(({ uid }) => uid === scope || uid === chosen)]
      : [...near, ...last, ...tops];
  return {
    options: all.filter(({ uid }, index) => all.findIndex((other) => other.uid === uid) === index),
    more: hasNextPage
      ? `Type to search all ${total === undefined ? "" : `${formatCount(total)} `}groups…`
      : undefined,
  };
}
