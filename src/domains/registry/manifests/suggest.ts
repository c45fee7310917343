import { createTwoFilesPatch } from "diff";

import type { ImageVerdict } from "./check";
import type { Manifest, Use } from "./read";

/** The use with what would make it current; undefined if there is nothing, or a variable stands in its place. */
export function suggestion(use: Use, { next }: ImageVerdict): string | undefined {
  if (!next || (next.tag !== undefined && !use.tag) || (next.digest !== undefined && !use.digest))
    return undefined;
  let { text } = use;
  const { tag, digest } = use.reference ?? {};
  if (next.tag !== undefined) text = text.replace(`:${tag}`, `:${next.tag}`);
  return next.digest === undefined || digest === undefined ? text : text.replace(digest, next.digest);
}

/** Changes a manifest's text; the rest of it stays as it is. */
export function apply({ source, uses }: Manifest, verdictOf: (use: Use) => ImageVerdict | undefined): string {
  const edits = uses.flatMap((use) => {
    const verdict = verdictOf(use);
    if (!verdict?.next || suggestion(use, verdict) === undefined) return [];
    const { tag, digest } = verdict.next;
    return [
      ...(tag !== undefined && use.tag ? [{ at: use.tag, text: tag }] : []),
      ...(digest !== undefined && use.digest ? [{ at: use.digest, text: digest }] : []),
    ];
  });
  // From the end, so that the places before stay where they are.
  return edits
    .toSorted((a, b) => b.at[0] - a.at[0])
    .reduce(
      (text, { at: [from, to], text: next }) => text.slice(0, from) + next + text.slice(to),
      source.text,
    );
}

/** The suggested changes of all manifests as one unified diff, which `patch -p1` and `git apply` read; "" if none. */
export function patchOf(
  manifests: readonly Manifest[],
  verdictOf: (use: Use) => ImageVerdict | undefined,
): string {
  return manifests
    .map((manifest) => {
      const { name, text } = manifest.source;
      const next = apply(manifest, verdictOf);
      if (next === text) return "";
      return createTwoFilesPatch(`a/${name}`, `b/${name}`, text, next, undefined, undefined, {
        context: 2,
      }).replace(/^=+\n/, "");
    })
    .join("");
}
