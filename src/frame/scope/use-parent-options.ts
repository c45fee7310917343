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

/**
 * Possible parents of a new record: the scope, its ancestors, the selected group, those that were chosen last, and the
 * topmost groups.
 */
export function useParentOptions(scope: string | undefined, chosen = scope): readonly ParentOption[] {
  const { organizations, folders } = useTopGroups();
  const tops = [...organizations, ...folders].map(({ uid, name }) => ({ uid, label: name }));
  const recent = useRecentGroups();
  const names = useAncestorNames(recent);
  const last = recent.map(({ uid, name }) => ({
    uid,
    label: [placeText({ collection: "groups", uid }, names), name].filter(Boolean).join(" / "),
  }));
  const all = [...useWay(scope), ...useWay(chosen).slice(-1), ...last, ...tops];
  return all.filter(({ uid }, index) => all.findIndex((other) => other.uid === uid) === index);
}
