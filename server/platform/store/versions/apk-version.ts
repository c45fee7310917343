import { compareDigits, compareLists, comparing, sign } from "./orders/parts";

/**
 * apk package versions, by the rules of apk-tools (src/version.c): numbers separated by dots, at most one letter, suffixes
 * with a number (`_rc1`), a commit (`~1a2b`), a build (`-r3`).
 */
const VERSION = /^(\d+)((?:\.\d+)*)([a-z]?)((?:_[a-z]+\d*)*)(?:~([0-9a-f]+))?(?:-r(\d+))?$/;

/** Suffixes that sort before a release, then those after it. */
const BEFORE = ["alpha", "beta", "pre", "rc"];
const SUFFIXES = [...BEFORE, "cvs", "svn", "git", "hg", "p"];

/** The kinds of parts in the order that decides where one version has another kind than the other; a version that ends is least. */
const KINDS = ["first", "number", "letter", "suffix", "suffix number", "commit", "build"] as const;
interface Part {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

function read(version: string): Part[] | undefined {
  const [whole, first = "", numbers = "", letter = "", suffixes = "", commit, build] =
    VERSION.exec(version) ?? [];
  if (whole === undefined) return undefined;
  const parts: Part[] = [{ kind: "first", text: first }];
  for (const text of numbers.match(/\d+/g) ?? []) parts.push({ kind: "number", text });
  if (letter !== "") parts.push({ kind: "letter", text: letter });
  for (const [, text = "", number = ""] of suffixes.matchAll(/_([a-z]+)(\d*)/g)) {
    if (!SUFFIXES.includes(text)) return undefined;
    parts.push({ kind: "suffix", text });
    if (number !== "") parts.push({ kind: "suffix number", text: number });
  }
  if (commit !== undefined) parts.push({ kind: "commit", text: commit });
  if (build !== undefined) parts.push({ kind: "build", text: build });
  return parts;
}

const isBeforeRelease = (part: Part | undefined): boolean =>
  part?.kind === "suffix" && BEFORE.includes(part.text);
const rankOf = (part: Part | undefined): number => (part ? KINDS.indexOf(part.kind) : KINDS.length);

function compareParts(a: Part | undefined, b: Part | undefined): number {
  if (a === undefined || b === undefined || a.kind !== b.kind) {
    if (isBeforeRelease(a) || isBeforeRelease(b)) return isBeforeRelease(a) ? -1 : 1;
    return sign(rankOf(b), rankOf(a));
  }
  if (a.kind === "letter" || a.kind === "commit") return sign(a.text, b.text);
  if (a.kind === "suffix") return sign(SUFFIXES.indexOf(a.text), SUFFIXES.indexOf(b.text));
  // After the first, a number that begins with a zero is a fraction: 1.05 comes before 1.1.
  const isFraction = a.kind === "number" && (a.text.startsWith("0") || b.text.startsWith("0"));
  return isFraction ? sign(a.text, b.text) : compareDigits(a.text, b.text);
}

export const isApkVersion = (text: string): boolean => read(text) !== undefined;

export const compareApkVersions = comparing(read, (one, other) => compareLists(one, other, compareParts));
