import type { Repo } from "./repos";
import type { Tag } from "./tags";

/** Kinds of tag names that the service omits unless requested. */
export const KINDS = [
  { kind: "dates", include: "includeDates", names: /-20\d{6}$/ },
  { kind: "epochs", include: "includeEpochs", names: /-r\d+$/ },
  { kind: "referrers", include: "includeReferrers", names: /^sha256-/ },
] as const;

/** Returns the kind of a name: the last one that matches. */
export const kindOf = (name: string) => KINDS.findLast(({ names }) => names.test(name))?.kind;

/**
 * True if people and machines may pull the tag by its name: `latest`, one that the repo lists as active, or a plain
 * name that is not deprecated. Dated tags, build tags and signatures are pinned, if at all.
 */
export const isInProduction = (
  { name, deprecated = false }: Pick<Tag, "name" | "deprecated">,
  { activeTags = [] }: Pick<Repo, "activeTags">,
): boolean => name === "latest" || activeTags.includes(name) || (!deprecated && kindOf(name) === undefined);
