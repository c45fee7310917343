import { expect, it } from "vitest";

import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { about, otherNames, placesOf } from "./data";
import { judge, summarize } from "./summary";

const advisory = (name: string, said: object, more: Partial<Advisory> = {}): Advisory => ({
  uid: `org/${name}`,
  artifactName: name,
  artifactType: "apk",
  events: [{ uid: "1", createTime: "2026-01-01T00:00:00Z", reviewState: "REVIEW_STATE_APPROVED", ...said }],
  ...more,
});
const [affected, open, fixed, spared] = [
  advisory("curl", { truePositiveDetermination: {} }),
  advisory("git", { detection: { manual: {} } }),
  advisory("zlib", { fixed: { fixedVersion: "2" } }),
  advisory("xz", { falsePositiveDetermination: {} }),
];

it.each([
  [[spared, fixed, open, affected], "Affected: curl"],
  [[spared, fixed, open], "Under investigation: git"],
  [
    [spared, fixed, advisory("glibc", { fixed: { fixedVersion: "1" } })],
    "Fixed in newer versions: glibc, zlib",
  ],
  [[spared], "Not affected: xz"],
])("answers with the worst that is said: case %#", (found, title) => {
  const { title: said, tone } = summarize("CVE-1", judge(found));
  expect(said).toBe(title);
  // No advisory says what runs here.
  expect(tone).not.toBe("success");
});

it("names the artifacts, and on how many architectures one is", () => {
  const arm = { ...affected, uid: "org/arm", artifactArchitecture: "aarch64" };
  const intel = { ...affected, artifactArchitecture: "x86_64" };
  expect(summarize("CVE-1", judge([intel, arm])).title).toBe("Affected: curl, on 2 architectures");
  const many = ["a", "b", "c", "d", "e"].map((name) => advisory(name, { truePositiveDetermination: {} }));
  expect(summarize("CVE-1", judge(many)).title).toBe("Affected: a, b, c and 2 more");
});

it("does not deny the fixes of older ranges when the newest has none", () => {
  const told = (event: object) => summarize("CVE-1", judge([advisory("curl", event)])).text;
  expect(told({ truePositiveDetermination: {} })).toBe(
    "CVE-1 affects 1 package below. No fixed version is known.",
  );
  expect(
    told({ truePositiveDetermination: {}, affectedRanges: [{ fixed: "1.2" }, { introduced: "2.0" }] }),
  ).toBe("CVE-1 affects 1 package below. No fix is known for the newest versions.");
});

it("searches for aliases of the vulnerability, but no other CVE", () => {
  const found = [advisory("curl", {}, { aliases: ["CVE-1", "CVE-2", "GHSA-1"] })];
  expect(otherNames("CVE-1", found)).toEqual(["GHSA-1"]);
  expect(otherNames("GHSA-1", found)).toEqual(["CVE-1", "CVE-2"]);
  expect(otherNames("ADV-1", found)).toEqual(["CVE-1", "CVE-2", "GHSA-1"]);
});

it("leaves out what a notice that it shares with another CVE says of that one", () => {
  const [own, other, plain] = [
    advisory("curl", {}, { aliases: ["CVE-1", "USN-1"] }),
    advisory("git", {}, { aliases: ["CVE-2", "USN-1"] }),
    advisory("xz", {}, { aliases: ["USN-1"] }),
  ];
  expect(about("CVE-1", [own, other, plain])).toEqual([own, plain]);
  expect(about("USN-1", [own, other, plain])).toEqual([own, other, plain]);
});

it("looks in the groups above a folder as well, whose advisories hold there", () => {
  const [root, child] = ["a".repeat(40), "b".repeat(16)];
  expect(placesOf({ group: `${root}/${child}`, reach: "below" })).toEqual([
    { "uidp.descendants_of": `${root}/${child}` },
    { "uidp.children_of": root },
  ]);
  expect(placesOf({ group: undefined, reach: "below" })).toEqual([{}]);
});
