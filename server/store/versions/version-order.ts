import semver from "semver";

import { compareApkVersions } from "./apk-version";
import { versionKey } from "./version-key";
import { JAVA, PYTHON } from "~/contract/libraries/artifacts";

/** Negative if `one` is older, positive if it is newer, 0 if they are equal; undefined if either is no version. */
export type CompareVersions = (one: string, other: string) => number | undefined;

const sign = <T extends string | number | bigint>(one: T, other: T): number =>
  one < other ? -1 : Number(one > other);

/** How many versions to remember: records of one package list the same ones again and again. */
const REMEMBERED = 5_000;

/** The same, without reading a version again. */
function remembering<T>(read: (version: string) => T): (version: string) => T {
  const known = new Map<string, T>();
  return (version) => {
    const before = known.get(version);
    if (before !== undefined || known.has(version)) return before as T;
    if (known.size >= REMEMBERED) known.clear();
    const result = read(version);
    known.set(version, result);
    return result;
  };
}

const byKey = (ecosystem: Parameters<typeof versionKey>[0]): CompareVersions => {
  const keyOf = remembering((version) => versionKey(ecosystem, version));
  return (one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return a === undefined || b === undefined ? undefined : sign(a, b);
  };
};

const PARTS = /^[v=\s]*(\d+(?:\.\d+)*)[.-]?([^+]*)/i;

const semverOf = remembering((version) => semver.parse(version));

/** https://semver.org, with a leading v. */
const bySemver: CompareVersions = (one, other) => {
  const [a, b] = [semverOf(one), semverOf(other)];
  return a && b ? a.compare(b) : byNumbers(one, other);
};

const numbersOf = remembering((version) => PARTS.exec(version));

/**
 * Numbers, however many (1.2.3.4 of NuGet), then a pre-release, with a hyphen or without (1.0.0.pre1 of RubyGems), or a
 * patch of Composer.
 */
const byNumbers: CompareVersions = (one, other) => {
  const [x, y] = [numbersOf(one), numbersOf(other)];
  if (!x || !y) return undefined;
  return compareNumbers(x[1] ?? "", y[1] ?? "") || comparePrereleases(x[2] ?? "", y[2] ?? "");
};

function compareNumbers(one: string, other: string): number {
  const [a, b] = [one.split("."), other.split(".")];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = sign(BigInt(a[at] ?? 0), BigInt(b[at] ?? 0));
    if (order !== 0) return order;
  }
  return 0;
}

/** A patch of Composer sorts after its release, everything else before it. */
const isAfterRelease = (text: string): boolean => /^p(?:l|atch)?\d*$/i.test(text);

function comparePrereleases(one: string, other: string): number {
  const rank = (text: string) => (text === "" ? 1 : isAfterRelease(text) ? 2 : 0);
  if (rank(one) !== rank(other)) return sign(rank(one), rank(other));
  const parts = (text: string) => text.toLowerCase().match(/\d+|[a-z]+/g) ?? [];
  const [a, b] = [parts(one), parts(other)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x, y] = [a[at], b[at]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [number, otherNumber] = [/\d/.test(x), /\d/.test(y)];
    if (number !== otherNumber) return number ? -1 : 1;
    const order = number ? sign(BigInt(x), BigInt(y)) : sign(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

/** https://www.debian.org/doc/debian-policy/ch-controlfields.html#version */
const DEB = /^(?:(\d+):)?(.+?)(?:-([^-]*))?$/s;
const debianOf = remembering((version) => DEB.exec(version));
const byDebian: CompareVersions = (one, other) => {
  const [a, b] = [debianOf(one), debianOf(other)];
  if (!a || !b) return undefined;
  return (
    sign(BigInt(a[1] ?? 0), BigInt(b[1] ?? 0)) ||
    compareDebianPart(a[2] ?? "", b[2] ?? "") ||
    compareDebianPart(a[3] ?? "0", b[3] ?? "0")
  );
};

/** The tilde sorts before the end, letters before everything else. */
const rankOf = (character: string | undefined): number => {
  if (character === "~") return -1;
  if (character === undefined || /\d/.test(character)) return 0;
  return /[a-z]/i.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256;
};

function compareDebianPart(one: string, other: string): number {
  const parts = (text: string) => text.match(/\d+|\D+/g) ?? [];
  // Text and numbers alternate, beginning with text.
  const aligned = (text: string) => (/^\d/.test(text) ? ["", ...parts(text)] : parts(text));
  const [a, b] = [aligned(one), aligned(other)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [x = "", y = ""] = [a[index], b[index]];
    const order = index % 2 === 1 ? sign(BigInt(x || 0), BigInt(y || 0)) : compareTexts(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

function compareTexts(one: string, other: string): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const order = sign(rankOf(one[at]), rankOf(other[at]));
    if (order !== 0) return order;
  }
  return 0;
}

/** rpmvercmp: https://rpm-software-management.github.io/rpm/manual/dependencies.html#versions */
const byRpm: CompareVersions = (one, other) => {
  const [a, b] = [debianOf(one), debianOf(other)];
  if (!a || !b) return undefined;
  return (
    sign(BigInt(a[1] ?? 0), BigInt(b[1] ?? 0)) ||
    compareRpmPart(a[2] ?? "", b[2] ?? "") ||
    // A version without a release stands for every release.
    (a[3] === undefined || b[3] === undefined ? 0 : compareRpmPart(a[3], b[3]))
  );
};

function compareRpmPart(one: string, other: string): number {
  const parts = (text: string) => text.match(/\d+|[a-z]+|[~^]/gi) ?? [];
  const [a, b] = [parts(one), parts(other)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [x, y] = [a[index], b[index]];
    if (x === y) continue;
    if (x === "~" || y === "~") return x === "~" ? -1 : 1;
    if (x === "^" || y === "^") return (x === "^" ? y === undefined : x !== undefined) ? 1 : -1;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [number, otherNumber] = [/\d/.test(x), /\d/.test(y)];
    if (number !== otherNumber) return number ? 1 : -1;
    const order = number ? sign(BigInt(x), BigInt(y)) : sign(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

const ORDERS: Readonly<Record<string, CompareVersions>> = {
  apk: compareApkVersions,
  deb: byDebian,
  rpm: byRpm,
  python: byKey(PYTHON),
  "java-archive": byKey(JAVA),
  gem: byNumbers,
  composer: byNumbers,
};

/** The order of versions of a package type; that of Semantic Versioning where no other is known. */
export const orderOf = (type: string): CompareVersions => ORDERS[type] ?? bySemver;

/** "0" is before every version, as OSV writes where a range begins. */
export const orderWithStart =
  (compare: CompareVersions): CompareVersions =>
  (one, other) => {
    if (one === other) return 0;
    if (one === "0") return -1;
    return other === "0" ? 1 : compare(one, other);
  };
