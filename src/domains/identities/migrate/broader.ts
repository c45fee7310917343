import type { Rule } from "./proposal";

/** One character, or an escaped one; classes and what stands for more than one text are told by their first. */
const TOKENS = /\\[^]|\[\^?\]?(?:\\[^]|[^\]]){0,1000}\]|[^]/g;

/** How many parts of a pattern stand for several texts. */
function openParts(pattern: string): number {
  const tokens = pattern.match(TOKENS) ?? [];
  return tokens.filter((token) => /^(?:[.|?]|\[|\\[dDwWsSpPC])/.test(token)).length;
}

/** What a pattern begins with, up to the first part that isn't plain text. */
function fixedStart(pattern: string): string {
  let start = "";
  for (const token of pattern.replace(/^\^/, "").match(TOKENS) ?? []) {
    if (/^(?:[.|?*+()[{$]|\\[A-Za-z0-9])/.test(token))
      return /^[?*{]/.test(token) ? start.slice(0, -1) : start;
    start += token.length > 1 ? token.slice(1) : token;
  }
  return start;
}

/** How many names of the path are fixed: 2 in `repo:acme/app:`, 1 in `repo:acme/`. */
function fixedNames(start: string): number {
  const [path = "", ...rest] = start.replace(/^(?:repo|project_path):/, "").split(":");
  return path.split("/").length - (rest.length > 0 ? 0 : 1);
}

const claimsOf = ({ claimMatch }: Rule): string[] =>
  Object.keys({ ...claimMatch?.claims, ...claimMatch?.claimPatterns });

/** Why a rule may match more tokens than the one it replaces, as far as its text tells; undefined if it doesn't. */
export function broader(old: Rule, next: Rule): string | undefined {
  const [before, after] = [old.claimMatch, next.claimMatch];
  if (!before || !after) return undefined;
  const [had, has] = [claimsOf(old), claimsOf(next)];
  const { subjectPattern: pattern } = after;
  const start = pattern === undefined ? "" : fixedStart(pattern);
  const oldStart = before.subject ?? fixedStart(before.subjectPattern ?? "");
  if (pattern !== undefined && fixedNames(start) < fixedNames(oldStart))
    return "its pattern also matches other projects";
  // The names of the claims differ between systems.
  if (has.length < had.length)
    return `it no longer requires ${had.filter((name) => !has.includes(name)).join(", ")}`;
  if (pattern === undefined || has.length > had.length) return undefined;
  if (before.subjectPattern === undefined) return "it has a pattern in place of one subject";
  return openParts(pattern) > openParts(before.subjectPattern) ? "its pattern has more wildcards" : undefined;
}
