import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { compareVersions } from "~/features/registry/version-order";

/** When a tag was updated last, in ms; services write as many digits of a second as they like. */
export const updatedAt = ({ updateTime = "" }: Tag): number => Date.parse(updateTime) || 0;

/** All tags of one image in one repo, among those that were read. */
export class DigestGroup {
  /** The same for the same image in the same repo, whatever becomes of its tags. */
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

  /** Its tags by uid, for a selection: whoever selects the group selects them. */
  get members(): readonly (readonly [uid: string, tag: Tag])[] {
    this.#members ??= this.#tags.map((tag) => [tag.uid, tag] as const);
    return this.#members;
  }

  /** When one of them was updated last. */
  get updateTime(): string | undefined {
    return this.#tags.reduce((a, b) => (updatedAt(b) > updatedAt(a) ? b : a)).updateTime;
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

/**
 * The groups of tags that stand in an order. `several`: they are of several repos. What a group says of its update is
 * when the newest of its tags had it, so that this is its place, too, where the oldest come first.
 */
export function groupByDigest(rows: readonly Tag[], several: boolean, order: string): DigestGroup[] {
  return order === "updated_at" ? grouped(rows.toReversed(), several).toReversed() : grouped(rows, several);
}

/** Each group in the place of the first of its tags. */
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
