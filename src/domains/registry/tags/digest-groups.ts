import { parentOf } from "platform-contract/aip";
import type { Tag } from "platform-contract/registry/tags";
import { compareVersions } from "platform-contract/registry/version-order";

/** Last update of a tag, in ms. Parsed, since timestamps vary in their number of fractional digits. */
export const updatedAt = ({ updateTime = "" }: Tag): number => Date.parse(updateTime) || 0;

/** All tags of one image in one repo, among those read. */
export class DigestGroup {
  /** Identifies the image in the repo, independent of its tags. */
  readonly key: string;
  readonly #tags: Tag[];
  #ordered: readonly Tag[] | undefined;
  #members: readonly (readonly [uid: string, tag: Tag])[] | undefined;

  constructor(key: string, first: Tag) {
    this.key = key;
    this.#tags = [first];
  }

  add(tag: Tag): void {
    this.#tags.push(tag);
  }

  /** uid of its first tag, which the row links to. */
  get uid(): string {
    return (this.#tags[0] as Tag).uid;
  }

  get digest(): string | undefined {
    return this.#tags[0]?.digest;
  }

  /** From the oldest version to the newest. Sorted lazily: only a few of thousands are in view. */
  get tags(): readonly Tag[] {
    this.#ordered ??= this.#tags.toSorted((a, b) => compareVersions(a.name, b.name));
    return this.#ordered;
  }

  /** Its tags by uid: selecting the group selects all of them. */
  get members(): readonly (readonly [uid: string, tag: Tag])[] {
    this.#members ??= this.#tags.map((tag) => [tag.uid, tag] as const);
    return this.#members;
  }

  /** The latest update of any of its tags. */
  get updateTime(): string | undefined {
    return this.#tags.reduce((a, b) => (updatedAt(b) > updatedAt(a) ? b : a)).updateTime;
  }
}

const keys = new WeakMap<Tag, string>();

/** Key of a tag's image and repo. Returns the same string instance each time, so that it is hashed only once. */
function keyOf(tag: Tag): string {
  const known = keys.get(tag);
  if (known !== undefined) return known;
  const key = `${parentOf(tag.uid)} ${tag.digest ?? tag.uid}`;
  keys.set(tag, key);
  return key;
}

/**
 * Groups sorted tags. `several`: true if they are from several repos. A group shows the update time of its newest tag,
 * which also determines its position when the oldest come first.
 */
export function groupByDigest(rows: readonly Tag[], several: boolean, order: string): DigestGroup[] {
  return order === "updated_at" ? grouped(rows.toReversed(), several).toReversed() : grouped(rows, several);
}

/** Puts each group at the position of its first tag. */
function grouped(rows: readonly Tag[], several: boolean): DigestGroup[] {
  const groups = new Map<string, DigestGroup>();
  for (const tag of rows) {
    const key = several ? keyOf(tag) : (tag.digest ?? tag.uid);
    const group = groups.get(key);
    if (group) group.add(tag);
    else groups.set(key, new DigestGroup(key, tag));
  }
  return [...groups.values()];
}
