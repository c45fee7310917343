import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";

import { compareVersions } from "./-version-order";

/** All tags of one image in one repo, among those that were read. */
export interface DigestGroup {
  /** Of its first tag: the page that a row leads to. */
  readonly uid: string;
  readonly key: string;
  readonly digest: string | undefined;
  /** From the oldest version to the newest. */
  readonly tags: readonly Tag[];
  /** When one of them was updated last. */
  readonly updateTime: string | undefined;
}

/** Tags by what they name, each group in the place of the first of its tags. */
export function groupByDigest(rows: readonly Tag[]): DigestGroup[] {
  const groups = new Map<string, Tag[]>();
  for (const tag of rows) {
    const key = `${parentOf(tag.uid)} ${tag.digest ?? tag.uid}`;
    const group = groups.get(key);
    if (group) group.push(tag);
    else groups.set(key, [tag]);
  }
  return [...groups].map(([key, group]) => ({
    key,
    uid: group[0]?.uid ?? "",
    digest: group[0]?.digest,
    get tags() {
      return inOrder(group);
    },
    updateTime: group.reduce<string | undefined>(
      (latest, { updateTime = "" }) => (latest === undefined || updateTime > latest ? updateTime : latest),
      undefined,
    ),
  }));
}

const orders = new WeakMap<readonly Tag[], readonly Tag[]>();

/** Put in order when somebody looks: of a hundred thousand groups a few are in view. */
function inOrder(group: readonly Tag[]): readonly Tag[] {
  const known = orders.get(group);
  if (known) return known;
  const sorted = group.toSorted((a, b) => compareVersions(a.name, b.name));
  orders.set(group, sorted);
  return sorted;
}
