import type { Tag } from "~/contract/registry/tags";
import { contains } from "~/resource/contains";

import { kindsOf, type Kind, type TagListSearch } from "./search";

/** How the names of each kind look (contract 1.11); one that looks like two is of the first. */
const NAMES: readonly (readonly [Kind, RegExp])[] = [
  ["referrers", /^sha256-/],
  ["dates", /-20\d{6}$/],
  ["epochs", /-r\d+$/],
];

const kindOf = (name: string): Kind | undefined => NAMES.find(([, names]) => names.test(name))?.[0];

/** The filters of a view that the API lacks, for a scan; and its kinds, for a tag that is written meanwhile. */
export function matcherOf(search: TagListSearch): (tag: Tag) => boolean {
  const { contains: typed, deprecated } = search;
  const shown = kindsOf(search);
  const isShown = (kind: Kind | undefined) => kind === undefined || shown.includes(kind);
  return ({ name, deprecated: ended = false }) =>
    (deprecated === undefined || ended === (deprecated === "yes")) &&
    (typed === undefined || contains(typed, [name])) &&
    isShown(kindOf(name));
}
