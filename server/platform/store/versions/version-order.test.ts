import { expect, test } from "vitest";

import { contains } from "./version-ranges";
import { boundOrderOf, isOrdered, orderOf } from "./version-order";

/** By package type, oldest first; versions in one text that are separated by `=` are equal. */
const ORDERED: readonly (readonly [type: string, source: string, versions: string])[] = [
  [
    "npm",
    "semver.org, 11",
    "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0=1.0.0+a=1.0.0+b=v1.0.0 2.0.0 2.1.0 2.1.1",
  ],
  ["npm", "without a part", "1.2.0-rc.1 1.2=1.2.0=1.2.0.0 1.2.0.1 1.2.1"],
  ["rust-crate", "semver.org, 11", "0.9.0-a 0.9.0 0.10.0 1.0.0-A 1.0.0-a 1.0.0"],
  ["hex", "Elixir's Version", "1.0.0-alpha 1.0.0-beta.9 1.0.0-beta.10 1.0.0=1.0.0+build.1 1.0.1"],
  ["swift", "semver.org, 11", "1.9.0 1.10.0-rc.1 1.10.0"],
  [
    "dotnet",
    "NuGet, Package versioning",
    "1.0.1-aaa 1.0.1-alpha=1.0.1-ALPHA 1.0.1-alpha.2 1.0.1-alpha.10 1.0.1-beta 1.0.1-open 1.0.1-rc.10=1.0.1-RC.10 1.0.1-rc.11 1.0.1-zzz 1.0.1=1.0.01=1.0.1.0=1.0.1+x 1.0.1.1 1.0.2",
  ],
  [
    "go-module",
    "golang.org/x/mod/semver",
    "v1.0.0-0.20200101000000-abcdef012345 v1.0.0-alpha v1.0.0 v1.0.1-0.20210101000000-abcdef012345 v1.0.1 v2.0.0+incompatible=v2.0.0",
  ],
  [
    "go-module",
    "go.dev/doc/toolchain",
    "go1.20.14 go1.21rc2=1.21rc2=1.21.0-rc.2 go1.21rc10 go1.21.0=1.21.0=go1.21 go1.21.1 go1.25.3=1.25.3 go1.25.4",
  ],
  [
    "pub",
    "pub_semver",
    "1.0.0-alpha 1.0.0-alpha.1 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0-rc.1+build.1 1.0.0 1.0.0+0.3.7 1.3.7+build 1.3.7+build.2.b8f12d7 1.3.7+build.11.e0f985a 2.0.0",
  ],
  [
    "julia",
    "Julia's VersionNumber",
    "1.2.13-=v1.2.13- 1.2.13-alpha=1.2.13alpha 1.2.13-alpha.1 1.2.13-rc1 1.2.13-rc1+0 1.2.13 1.2.13+0=v1.2.13+0 1.2.13+1 1.2.13+2 1.2.13+10 1.2.13+a 1.2.14 1.3=1.3.0",
  ],
  ["hackage", "PVP, 3", "1 1.0 1.2.3 1.2.3.0 1.2.3.1 1.2.10 1.10"],
  ["ghc", "PVP, 3", "9.4 9.4.8 9.10.1"],
  ["cran", "R's package_version", "1.2 1.2-2=1.2.2 1.2-3 1.2-3.1 1.2-10 1.10"],
  ["bioconductor", "R's package_version", "1.9.9 1.10 1.10.0 1.10.1"],
  ["opam", "opam's manual, Version ordering", "0.9~beta2 0.9~beta10 0.9 0.10 v0.8 v0.12"],
  ["linux", "kernel.org", "6.1-rc2 6.1-rc10 6.1=6.1.0 6.1.9 6.1.10"],
  [
    "deb",
    "Debian Policy, 5.6.12",
    "1.0~~ 1.0~~a 1.0~ 1.0 1.0-1~deb12u1 1.0-1 1.0-1+deb12u1 1.0a 1.0+b 1:0.1",
  ],
  ["rpm", "RPM, Dependencies", "1.0~rc1-1 1.0 1.0-0 1.0-1 1.0^git1-1 1.0.1-1 1.1-1 1:0.1-1"],
  ["gem", "Gem::Version", "1.0.a 1.0.b2 1.0.pre.1=1.0-1 1.0=1=1.0.0 1.0.1.pre 1.0.1 1.10"],
  [
    "composer",
    "Composer, Versions",
    "1.0.0-dev 1.0.0-alpha1 1.0.0-beta2 1.0.0-RC1=1.0.0rc1 1.0.0=v1.0=1.0.0.0=1.0.0+x 1.0.0-p1=1.0.0-patch1 1.0.1 1.x-dev",
  ],
  [
    "java-archive",
    "Maven, POM reference",
    "1-alpha-1=1.0-a1 1-beta 1-rc1=1-cr1 1-SNAPSHOT 1=1.0=1-ga=1.0.Final 1-sp 1-1 1.0.1 1.1",
  ],
  ["python", "PEP 440", "1.dev0 1.0a1=1.0.alpha1 1.0rc1 1.0=1 1.0+abc 1.0.post1=1.0-1 1.0.1"],
];

test.each(ORDERED)("%s as in %s", (type, _source, text) => {
  const compare = orderOf(type);
  const versions = text
    .split(" ")
    .flatMap((equal, rank) => equal.split("=").map((version) => ({ version, rank })));
  for (const one of versions)
    for (const other of versions)
      expect([
        one.version,
        other.version,
        Math.sign(compare(one.version, other.version) ?? Number.NaN),
      ]).toEqual([one.version, other.version, Math.sign(one.rank - other.rank)]);
});

test.each([
  ["npm", ["1.x", "latest", "1.2.3-", "1.2.3-a..b", ""]],
  ["cran", ["1.2-2a", "1..2"]],
  ["hackage", ["1.2-rc1"]],
  ["julia", ["1.2.3.4", "one"]],
  ["deb", ["unstable", "1.2-", "1.2:3", "1:2-3:", "1.2 3"]],
  ["rpm", ["latest", "1.2-", "1 2", "1-2-3"]],
  ["gem", ["latest", "1..2"]],
  ["composer", ["dev-master", "latest"]],
  ["java-archive", ["", "[1.0,2.0)"]],
  ["python", ["2004d", "latest"]],
  ["go-module", ["latest", "master"]],
] as const)("%s: what is no version has no place in the order", (type, texts) => {
  const compare = orderOf(type);
  for (const text of texts)
    expect([text, compare(text, "1.0"), compare("1.0", text)]).toEqual([text, undefined, undefined]);
});

test("of a type without an order, a version is only itself", () => {
  for (const type of ["android", "freebsd", "generic"]) {
    expect(isOrdered(type)).toBe(false);
    expect([orderOf(type)("1.0", "1.0"), orderOf(type)("1.0", "1.1")]).toEqual([0, undefined]);
  }
});

test("an rpm bound without a release stands for every release, and a version without one is not before or after one", () => {
  const toBound = boundOrderOf("rpm");
  expect([toBound("1.2.3-5", "1.2.3"), toBound("1.2.3", "1.2.3")]).toEqual([0, 0]);
  expect([toBound("1.2.3", "1.2.3-5"), toBound("1.2.2", "1.2.3-5")]).toEqual([undefined, -1]);
  expect(contains({ lastAffected: "1.2.3" }, "1.2.3-5.el9", "rpm")).toBe(true);
  expect(contains({ fixed: "1.2.3-5.el9" }, "1.2.3", "rpm")).toBeUndefined();
});

test("one end that excludes a version is enough", () => {
  expect(contains({ introduced: "2.0", fixed: "unreadable" }, "1.0", "npm")).toBe(false);
  expect(contains({ introduced: "2.0", fixed: "unreadable" }, "3.0", "npm")).toBeUndefined();
});
