/**
 * The order of apk package versions, by the rules of apk-tools: numbers separated by dots, at most one letter, suffixes
 * with a number (`_rc1`), a commit (`~1a2b`), a build (`-r3`).
 */
const VERSION = /^(\d+(?:\.\d+)*)([a-z]?)((?:_[a-z]+\d*)*)(?:~([0-9a-f]+))?(?:-r(\d+))?$/;

/** Suffixes that sort before a release, then those after it. No suffix is 0. */
const BEFORE = ["alpha", "beta", "pre", "rc"];
const BEHIND = ["cvs", "svn", "git", "hg", "p"];

interface ApkVersion {
  readonly numbers: readonly string[];
  readonly letter: string;
  readonly suffixes: readonly (readonly [rank: number, number: bigint])[];
  readonly commit: string;
  readonly build: bigint;
}

const rankOf = (suffix: string): number | undefined => {
  if (BEFORE.includes(suffix)) return BEFORE.indexOf(suffix) - BEFORE.length;
  return BEHIND.includes(suffix) ? BEHIND.indexOf(suffix) + 1 : undefined;
};

function parse(text: string): ApkVersion | undefined {
  const [whole, numbers = "", letter = "", suffixes = "", commit = "", build = "0"] =
    VERSION.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const ranked = [...suffixes.matchAll(/_([a-z]+)(\d*)/g)].map(
    ([, name = "", number]) => [rankOf(name), BigInt(number || 0)] as const,
  );
  if (ranked.some(([rank]) => rank === undefined)) return undefined;
  return {
    numbers: numbers.split("."),
    letter,
    suffixes: ranked as ApkVersion["suffixes"],
    commit,
    build: BigInt(build),
  };
}

const sign = <T>(one: T, other: T): number => (one < other ? -1 : Number(one > other));

/** A number after the first dot that starts with a zero is a fraction: 1.05 comes before 1.1. */
function compareNumbers(one: readonly string[], other: readonly string[]): number {
  for (const [index, a] of one.entries()) {
    const b = other[index];
    if (b === undefined) return 1;
    const fraction = index > 0 && (a.startsWith("0") || b.startsWith("0"));
    const order = fraction ? sign(a, b) : sign(BigInt(a), BigInt(b));
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

function compareSuffixes(one: ApkVersion["suffixes"], other: ApkVersion["suffixes"]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [a, b] = [one[index] ?? [0, 0n], other[index] ?? [0, 0n]] as const;
    const order = sign(a[0], b[0]) || sign(a[1], b[1]);
    if (order !== 0) return order;
  }
  return 0;
}

export const isApkVersion = (text: string): boolean => parse(text) !== undefined;

/** Negative if `one` is older, positive if it is newer; undefined if either is not an apk version. */
export function compareApkVersions(one: string, other: string): number | undefined {
  const [a, b] = [parse(one), parse(other)];
  if (!a || !b) return undefined;
  return (
    compareNumbers(a.numbers, b.numbers) ||
    sign(a.letter, b.letter) ||
    compareSuffixes(a.suffixes, b.suffixes) ||
    sign(a.commit, b.commit) ||
    sign(a.build, b.build)
  );
}
