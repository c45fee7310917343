import { compare } from "@renovatebot/pep440";
import { describe, expect, test } from "vitest";

import { JAVA, PYTHON } from "platform-contract/libraries/artifacts";

import { versionKey } from "./version-key";

const python = (version: string) => versionKey(PYTHON, version) ?? "";
const java = (version: string) => versionKey(JAVA, version) ?? "";

/** Oldest first. */
function inOrder(versions: readonly string[], key: (version: string) => string): void {
  for (const [at, one] of versions.entries())
    for (const [place, other] of versions.entries()) {
      const sign = key(one) < key(other) ? -1 : Number(key(one) > key(other));
      expect([one, other, sign]).toEqual([one, other, Math.sign(at - place)]);
    }
}

describe("PEP 440", () => {
  const ORDERED = [
    "1.dev0",
    "1.0.dev456",
    "1.0a1",
    "1.0a2.dev456",
    "1.0a12.dev456",
    "1.0a12",
    "1.0b1.dev456",
    "1.0b2",
    "1.0b2.post345.dev456",
    "1.0b2.post345",
    "1.0rc1.dev456",
    "1.0rc1",
    "1.0",
    "1.0+abc.5",
    "1.0+abc.7",
    "1.0+5",
    "1.0.post456.dev34",
    "1.0.post456",
    "1.0.15",
    "1.1.dev1",
    "1.9",
    "1.10",
    "2024.1",
    "1!0.1",
  ];
  test("orders the versions of the specification", () => inOrder(ORDERED, python));

  test("writes equal versions alike", () => {
    for (const same of ["v1.0", "1", "1.0.0", "1.0.0.0"]) expect(python(same)).toBe(python("1.0"));
    expect(python("1.0-1")).toBe(python("1.0.post1"));
    expect(python("1.0.ALPHA.1")).toBe(python("1.0a1"));
  });

  test("agrees with the package about every pair of many", () => {
    const parts = [
      ["0", "1", "1.0", "1.0.1", "1.10", "2!1"],
      ["", "a1", "b2", "rc1", "rc10"],
      ["", ".post1", ".post12"],
      ["", ".dev0", ".dev3"],
      ["", "+cu121", "+1.a"],
    ];
    const versions = parts.reduce((all, part) => all.flatMap((one) => part.map((each) => one + each)), [""]);
    for (const [index, one] of versions.entries())
      for (let step = 1; step < 400; step += 37) {
        const other = versions[(index * 31 + step) % versions.length] ?? "";
        const sign = python(one) < python(other) ? -1 : Number(python(one) > python(other));
        expect([one, other, sign]).toEqual([one, other, Math.sign(compare(one, other))]);
      }
  });

  test.each(["", "latest", "1.0 beta", "1.0/2", `1.${"9".repeat(30)}`, "1".repeat(201)])(
    "%j is no version",
    (version) => expect(versionKey(PYTHON, version)).toBeUndefined(),
  );
});

// From the tests of Maven's own ComparableVersion.
describe("Maven", () => {
  test.each([
    [
      "1-alpha2snapshot 1-alpha2 1-alpha-123 1-beta-2 1-beta123 1-m2 1-m11 1-rc 1-cr2 1-rc123 1-SNAPSHOT 1 1-sp 1-sp2 1-sp123 1-abc 1-def 1-pom-1 1-1-snapshot 1-1 1-2 1-123",
    ],
    [
      "2.0 2.0.a 2-1 2.0.2 2.0.123 2.1.0 2.1-a 2.1b 2.1-c 2.1-1 2.1.0.1 2.2 2.123 11.a2 11.a11 11.b2 11.b11 11.m2 11.m11 11 11.a 11b 11c 11m",
    ],
    ["4.0.0.Beta3 4.0.0-RC1 4.0.0.Final 4.1.99.Final 4.1.100.Final"],
    ["20190126.230843 20240101.000000 99999999999999999999999.1 100000000000000000000000"],
    ["31.1-android 31.1-jre 32.0.0-android 32.0.0-jre"],
  ])("%s", (versions) => inOrder(versions.split(" "), java));

  test.each([
    "1 1.0 1.0.0 1-0 1.0-0 1.0-0-0 1-ga 1-final 1.0.Final 1-release",
    "1a1 1-a1 1-alpha1 1-alpha-1 1.0-alpha1 1.0.0.alpha1",
    "1m3 1-Milestone-3",
    "1x 1-x 1.0x 1.0.0-x 1.0.0.x",
    "1cr 1rc 1-CR",
  ])("%s are one version", (versions) => {
    for (const version of versions.split(" "))
      expect([version, java(version)]).toEqual([version, java(versions.split(" ")[0] ?? "")]);
  });

  test.each(["", "1 0", "1!0", "1/0"])("%j is no version", (version) =>
    expect(versionKey(JAVA, version)).toBeUndefined(),
  );
});
