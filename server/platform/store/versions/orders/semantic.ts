import { compareDigits, compareLists, comparing, sign, type CompareVersions } from "./parts";

/** Numbers, however many, then a pre-release after a hyphen, then a build after a plus. */
const VERSION = /^[vV=]?(\d+(?:\.\d+)*)(?:-([\dA-Za-z.-]+))?(?:\+([\dA-Za-z.-]+))?$/;

interface SemanticVersion {
  /** Without the zeros at the end, so that 1.2 is 1.2.0. */
  readonly numbers: readonly string[];
  readonly prerelease: readonly string[];
  readonly build: readonly string[];
}

const partsOf = (text: string | undefined): string[] => (text === undefined ? [] : text.split("."));

const EMPTY = /(?:^|\.)(?:\.|$)/;

export function readSemantic(text: string): SemanticVersion | undefined {
  const [whole, numbers = "", prerelease, build] = VERSION.exec(text) ?? [];
  if (whole === undefined || EMPTY.test(prerelease ?? "x") || EMPTY.test(build ?? "x")) return undefined;
  return {
    numbers: numbers.replace(/(?:\.0+)+$/, "").split("."),
    prerelease: partsOf(prerelease),
    build: partsOf(build),
  };
}

export const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** Numbers before texts, and the end before both: https://semver.org/#spec-item-11 */
export function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  if (isDigits(a) !== isDigits(b)) return isDigits(a) ? -1 : 1;
  return isDigits(a) ? compareDigits(a, b) : sign(a, b);
}

const compareNumbers = (a: SemanticVersion, b: SemanticVersion): number =>
  compareLists(a.numbers, b.numbers, (x = "0", y = "0") => compareDigits(x, y));

/** A version without a pre-release comes after those with one. */
export const comparePrereleases = (a: readonly string[], b: readonly string[]): number =>
  a.length === 0 || b.length === 0
    ? Number(a.length === 0) - Number(b.length === 0)
    : compareLists(a, b, compareIdentifiers);

/** https://semver.org, with any count of numbers; builds do not count. */
export const compareSemantic = comparing(
  readSemantic,
  (a, b) => compareNumbers(a, b) || comparePrereleases(a.prerelease, b.prerelease),
);

/** https://learn.microsoft.com/nuget/concepts/package-versioning: the case of letters does not count. */
export const compareNuGet: CompareVersions = comparing(
  (version) => readSemantic(version.toLowerCase()),
  (a, b) => compareNumbers(a, b) || comparePrereleases(a.prerelease, b.prerelease),
);

/** Dart's pub_semver: a build comes after its version, and the next build after it. */
export const comparePub = comparing(
  readSemantic,
  (a, b) =>
    compareNumbers(a, b) ||
    comparePrereleases(a.prerelease, b.prerelease) ||
    compareLists(a.build, b.build, compareIdentifiers),
);

/** What `go version` and Go's tags call a release: go1.25.3, go1.21rc2 (https://go.dev/doc/toolchain#version). */
const GO = /^(?:go)?(\d+\.\d+(?:\.\d+)?)(?:(beta|rc|alpha)(\d+))?$/;

/** Go's modules and its own releases; golang.org/x/vuln writes the latter as 1.21.0-rc.2. */
export const compareGo = comparing(
  (version) => {
    const [whole, numbers = "", phase, count = ""] = GO.exec(version) ?? [];
    if (whole === undefined) return readSemantic(version);
    return readSemantic(phase === undefined ? numbers : `${numbers}-${phase}.${count}`);
  },
  (a, b) => compareNumbers(a, b) || comparePrereleases(a.prerelease, b.prerelease),
);

/** Releases of the kernel: 6.1-rc10 comes after 6.1-rc9. */
export const compareLinux = comparing(
  (version) => readSemantic(version.replace(/-rc(?=\d+$)/, "-rc.")),
  (a, b) => compareNumbers(a, b) || comparePrereleases(a.prerelease, b.prerelease),
);
