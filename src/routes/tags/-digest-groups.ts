import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";

import { compareVersions } from "./-version-order";

/** All tags of one image in one repo, among those that were read. */
export class DigestGroup {
  readonly #tags: Tag[];
  #ordered: readonly Tag[] | undefined;

  constructor(first: Tag) {
    this.#tags = [first];
  }

  add(tag: Tag): void {
    this.#tags.push(tag);
  }

  /** Of its first tag: the page that a row leads to. */
  get uid(): string {
    return (this.#tags[0] as Tag).uid;
  }

  get digest(): string | undefined {
    return this.#tags[0]?.digest;
  }

  /** From the oldest version to the newest; put in order when somebody looks: of thousands a few are in view. */
  get tags(): readonly Tag[] {
    this.#ordered ??= this.#tags.toSorted((a, b) => compareVersions(a.name, b.name));
    return this.#ordered;
  }

  /** When one of them was updated last. */
  get updateTime(): string | undefined {
    return this.#tags.map(({ updateTime = "" }) => updateTime).reduce((a, b) => (a > b ? a : b)) || undefined;
  }
}

const keys = new WeakMap<Tag, string>();

/** Of which image in which repo a tag is; the same text each time, so that its hash is made once. */
function keyOf(tag: Tag): string {
  const known = keys.get(tag);
  if (known !== undefined) return known;
  const key = `${parentOf(tag.uid)} ${tag.digest ?? tag.uid}`;
  keys.set(tag, key);
  return key;
}

/** Tags by what they name, each group in the place of the first of its tags. `several`: they are of several repos. */
export function groupByDigest(rows: readonly Tag[], several: boolean): DigestGroup[] {
  const groups = new Map<string, DigestGroup>();
  for (const tag of rows) {
    const key = several ? keyOf(tag) : (tag.digest ?? tag.uid);
    const group = groups.get(key);
    if (group) group.add(tag);
    else groups.set(key, new DigestGroup(tag));
  }
  return [...groups.values()];
}
