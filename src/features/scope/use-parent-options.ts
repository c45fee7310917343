import { shorten } from "~/ui/display/shorten";

import { useGroup, usePath } from "./group-ancestry";
import { useTopGroups } from "./top-groups";

/** A group that a new record can belong to. */
export interface ParentOption {
  readonly uid: string;
  /** The way to it by names, as far as it is known. */
  readonly label: string;
}

/** Possible parents of a new record: the scope, the groups above it, and the topmost groups. */
export function useParentOptions(scope: string | undefined): readonly ParentOption[] {
  const { steps } = usePath(scope);
  const { group } = useGroup(scope);
  const { organizations, folders } = useTopGroups();
  const way = scope === undefined ? [] : [...steps, { uid: scope, name: group?.name }];
  const names = way.map(({ uid, name }) => name || shorten(uid));
  const homes = way.map(({ uid }, index) => ({ uid, label: names.slice(0, index + 1).join(" / ") }));
  const tops = [...organizations, ...folders].map(({ uid, name }) => ({ uid, label: name }));
  return [...homes, ...tops.filter(({ uid }) => !homes.some((home) => home.uid === uid))];
}
