import { useInfiniteQuery } from "@tanstack/react-query";

import { infinite, rowsOf } from "~/api/queries/queries";
import { ancestorsOf } from "platform-contract/aip";
import { groups } from "platform-contract/iam/groups";
import { by } from "platform-contract/order";
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

/** Up to so many groups are all offered; of more, those that are likely. */
const FEW = 50;
const fewQuery = infinite(groups.list, { order_by: "name", page_size: FEW });

/** All groups that the user can see by their paths, if these are few. */
export function useFewGroups(): readonly ParentOption[] | undefined {
  const { data, hasNextPage } = useInfiniteQuery(fewQuery);
  if (!data || hasNextPage) return undefined;
  const { rows } = rowsOf(data);
  const names = new Map(rows.map(({ uid, name }) => [uid, name || shorten(uid)]));
  return rows
    .map(({ uid }) => ({
      uid,
      label: [...ancestorsOf(uid), uid].flatMap((each) => names.get(each) ?? []).join(" / "),
    }))
    .toSorted(by(({ label }) => label));
}

/**
 * Possible parents of a new record: all groups if they are few, otherwise the scope, its ancestors, the selected group,
 * those that were chosen last, and the topmost groups.
 */
export function useParentOptions(scope: string | undefined, chosen = scope): readonly ParentOption[] {
  const few = useFewGroups();
  const { organizations, folders } = useTopGroups();
  const tops = [...organizations, ...folders].map(({ uid, name }) => ({ uid, label: name }));
  const recent = useRecentGroups();
  const names = useAncestorNames(recent);
  const last = recent.map(({ uid, name }) => ({
    uid,
    label: [placeText({ collection: "groups", uid }, names), name].filter(Boolean).join(" / "),
  }));
  const near = [...useWay(scope), ...useWay(chosen).slice(-1)];
  // One that isn't listed stays: it was just created, or is seen by another way.
  const all = few
    ? [...few, ...near.filter(({ uid }) => uid === scope || uid === chosen)]
    : [...near, ...last, ...tops];
  return all.filter(({ uid }, index) => all.findIndex((other) => other.uid === uid) === index);
}
