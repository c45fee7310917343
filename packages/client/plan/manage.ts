import type { Collection } from "../snapshots/format";
import { COLLECTIONS } from "../snapshots/format";
import { StateProblem } from "./state";

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** `*` is any part of a name, `**` any part of a path. */
const patternOf = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .split(/(\*+)/)
      .map((part) =>
        part === "*" ? "[^/]*" : /^\*+$/.test(part) ? ".*" : part.replaceAll(SPECIAL, String.raw`\$&`),
      )
      .join("")}$`,
    "su",
  );

/**
 * Which records are managed: those that one of the patterns has and none that begins with "!". A pattern is a path by names, which
 * can begin with a kind (`repos:acme/**`). Without one that doesn't begin with "!", all are but those. Throws a StateProblem.
 */
export function managing(patterns: readonly string[]): (collection: Collection, path: string) => boolean {
  const read = patterns.map((text) => {
    const [, not = "", kind, glob = ""] = /^(!?)(?:([A-Za-z]+):)?(.*)$/s.exec(text) ?? [];
    if (glob === "" || (kind !== undefined && !COLLECTIONS.some((one) => one === kind)))
      throw new StateProblem(`${JSON.stringify(text)} is no pattern: acme/** or repos:acme/*, for instance.`);
    return { not: not !== "", kind, pattern: patternOf(glob) };
  });
  const has = (not: boolean, collection: Collection, path: string): boolean =>
    read.some((one) => one.not === not && (one.kind ?? collection) === collection && one.pattern.test(path));
  const all = !read.some(({ not }) => !not);
  return (collection, path) => (all || has(false, collection, path)) && !has(true, collection, path);
}
