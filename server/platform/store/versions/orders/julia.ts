import { compareDigits, compareLists, comparing, sign } from "./parts";
import { compareIdentifiers } from "./semantic";

/** As Julia's own `VersionNumber` reads it (base/version.jl); the hyphen before a pre-release that is no number is optional. */
const VERSION =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:(-)|([a-z][\da-z-]*(?:\.[\da-z-]+)*|-(?:[\da-z-]+\.)*[\da-z-]+)?(?:(\+)|(?:\+((?:[\da-z-]+\.)*[\da-z-]+))?))$/i;

interface JuliaVersion {
  readonly numbers: readonly string[];
  readonly prerelease: readonly string[];
  readonly build: readonly string[];
}

function read(text: string): JuliaVersion | undefined {
  const [whole, major = "0", minor = "0", patch = "0", least, prerelease, most, build] =
    VERSION.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const parts = (part: string | undefined) => (part === undefined ? [] : part.replace(/^-/, "").split("."));
  return {
    numbers: [major, minor, patch],
    // `1.2.3-` is before every pre-release, `1.2.3+` before every build.
    prerelease: least === undefined ? parts(prerelease) : [""],
    build: most === undefined ? parts(build) : [""],
  };
}

/** The empty identifier is before every other. */
const compareIdentifier = (a: string | undefined, b: string | undefined): number =>
  a === "" && b !== undefined
    ? -Number(b !== "")
    : b === "" && a !== undefined
      ? 1
      : compareIdentifiers(a, b);

/** Builds count: binary packages (`_jll`) differ in nothing else. */
export const compareJulia = comparing(
  read,
  (a, b) =>
    compareLists(a.numbers, b.numbers, (x = "0", y = "0") => compareDigits(x, y)) ||
    sign(Number(a.prerelease.length === 0), Number(b.prerelease.length === 0)) ||
    compareLists(a.prerelease, b.prerelease, compareIdentifier) ||
    compareLists(a.build, b.build, compareIdentifier),
);
