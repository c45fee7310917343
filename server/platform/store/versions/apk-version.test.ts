import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { compareApkVersions, isApkVersion } from "./apk-version";

/** Oldest first; from the rules of apk-tools and the cases of its own test suite. */
const ORDERED: readonly (readonly string[])[] = [
  [
    "0.1.0_alpha",
    "0.1.0_alpha1",
    "0.1.0_alpha2",
    "0.1.0_beta",
    "0.1.0_pre1",
    "0.1.0_rc1",
    "0.1.0_rc2",
    "0.1.0",
  ],
  ["1.0", "1.0_cvs1", "1.0_svn1", "1.0_git20240101", "1.0_hg1", "1.0_p1", "1.0_p2"],
  ["2.34", "2.34.1", "2.34.10", "2.35"],
  ["1.2.3-r0", "1.2.3-r1", "1.2.3-r9", "1.2.3-r10", "1.2.4-r0"],
  ["1.0.1", "1.0.1a", "1.0.1b", "1.0.1b-r1", "1.0.2"],
  ["1.05", "1.1", "1.5"],
  ["4.09", "4.10"],
  ["9.9", "9.10", "10.0"],
  ["0.12.0_rc1-r4", "0.12.0_rc1-r5", "0.12.0-r0"],
  ["1.0_rc1", "1.0_rc1_p1", "1.0_rc2"],
  ["2.0.20230101", "2.0.20240101"],
  ["99999999999999999998", "99999999999999999999"],
];

describe.each(ORDERED.map((versions) => [versions.join(" < "), versions] as const))(
  "%s",
  (_title, versions) => {
    test("either way, and each equal to itself", () => {
      for (const [at, one] of versions.entries())
        for (const [place, other] of versions.entries()) {
          const expected = Math.sign(at - place);
          expect([one, other, Math.sign(compareApkVersions(one, other) ?? Number.NaN)]).toEqual([
            one,
            other,
            expected,
          ]);
        }
    });
  },
);

test("pairs as apk-tools 3 orders them", () => {
  const text = readFileSync(new URL("references/apk-pairs.txt", import.meta.url), "utf8");
  for (const line of text.trimEnd().split("\n")) {
    const [one = "", sign = "", other = ""] = line.split(" ");
    expect([line, Math.sign(compareApkVersions(one, other) ?? Number.NaN)]).toEqual([
      line,
      "<=>".indexOf(sign) - 1,
    ]);
  }
});

test("what is no version of apk has no place in the order", () => {
  for (const text of ["", "v1.2", "1.2-3", "1.2_foo", "1..2", "latest", "1.2.3-r", "1:2.3", "1.2 "]) {
    expect([text, isApkVersion(text)]).toEqual([text, false]);
    expect(compareApkVersions(text, "1.0")).toBeUndefined();
    expect(compareApkVersions("1.0", text)).toBeUndefined();
  }
});
