import { expect, it } from "vitest";

import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { itemText, readItem, writeItem } from "~/domains/vulnerabilities/advisories/pasted/item";

import { about, ofPackage, otherNames, placesOf } from "./data";
import { alikeIn, judge, scannerFixText, summarize, summarizeVersion } from "./summary";

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

type Here = Parameters<typeof summarize>[0]["here"];
const tags = (affected: number, unknown: number, not_affected: number, of?: number, undecided = 0): Here => ({
  counts: { affected, undecided, unknown, not_affected },
  of,
});
const told = (found: readonly Advisory[], here: Here, hidden?: string) =>
  summarize({ id: "CVE-1", judged: judge(found), here, hidden });

it.each<[string, Advisory[], Here, string, string]>([
  ["no tag holds what is affected", [affected], tags(0, 0, 0, 12), "None known of 12 tags: curl", "info"],
  ["only unknown tags", [affected], tags(0, 426, 0), "Unknown for 426 tags: curl", "warning"],
  ["fixed, and no tag holds it", [fixed], tags(0, 0, 0, 1), "None known of 1 tag: zlib", "info"],
  ["fixed, and all hold the fix", [fixed], tags(0, 0, 9), "Not affected: zlib", "success"],
  ["fixed, and some hold the fix", [fixed], tags(0, 1, 9), "Unknown for 1 tag: zlib", "warning"],
  ["fixed, and some don't", [spared, fixed], tags(35, 2, 9), "35 tags affected; fixed in 2: zlib", "danger"],
  ["affected, and held", [affected, open], tags(1, 0, 0), "1 tag affected: curl", "danger"],
  ["open", [open], tags(0, 3, 0), "Unknown for 3 tags: git", "warning"],
  ["never affected", [spared], tags(0, 3, 0), "Not affected: xz", "info"],
  [
    "not affected in one place, and unknown elsewhere",
    [{ ...spared, appliesTo: "Debian:12" }],
    tags(0, 3, 0),
    "Unknown for 3 tags: xz",
    "warning",
  ],
  [
    "not comparable",
    [{ ...affected, artifactType: "npm" }],
    tags(0, 0, 0, 9),
    "Unknown whether a tag is affected: curl",
    "warning",
  ],
  [
    "not told",
    [affected],
    { why: "the API is silent" },
    "Unknown whether a tag is affected: curl",
    "warning",
  ],
])("leads with what is known of tags here: %s", (_, found, here, title, tone) => {
  expect(told(found, here)).toMatchObject({ title, tone });
});

it("says neither 'none' nor 'not affected' while advisories can be hidden", () => {
  for (const here of [tags(0, 0, 0, 9), tags(0, 0, 9)])
    expect(told([affected, spared], here, "your role hides them")).toMatchObject({
      title: "Unknown whether a tag is affected: curl, xz",
      text: "Your role hides them. By advisories, CVE-1 affects curl. No fixed version is known.",
    });
  expect(told([spared], tags(0, 0, 0, 9), "your role hides them").title).toMatch(/^Unknown/);
  expect(told([affected], tags(2, 0, 0), "your role hides them").title).toBe("2 tags affected: curl");
  const no = { ...spared, installedVersions: [{ version: "1", verdict: "VERSION_VERDICT_NOT_AFFECTED" }] };
  expect(summarizeVersion("1", judge([no]), true).title).toBe(
    "No, 1 isn't affected, by the 1 advisory recorded here: xz",
  );
  expect(summarizeVersion("1", judge([no]), true, "your role hides them").title).toBe(
    "Unknown whether 1 is affected: xz",
  );
});

it("asks for the version of a package, and says what is known without it", () => {
  const of = (here: Here) => summarize({ id: undefined, judged: judge([affected, fixed]), here });
  expect(of(tags(2, 0, 0))).toMatchObject({ title: "2 tags affected: curl, zlib" });
  expect(of({ why: "" })).toMatchObject({ tone: "warning" });
  expect(of(tags(0, 0, 0, 4)).text).toContain("Add the installed version");
});

it("names the artifacts, and on how many architectures one is", () => {
  const arm = { ...affected, uid: "org/arm", artifactArchitecture: "aarch64" };
  const intel = { ...affected, artifactArchitecture: "x86_64" };
  expect(told([intel, arm], tags(1, 0, 0)).title).toBe("1 tag affected: curl, on 2 architectures");
  const many = ["a", "b", "c", "d", "e"].map((name) => advisory(name, { truePositiveDetermination: {} }));
  expect(told(many, tags(1, 0, 0)).title).toBe("1 tag affected: a, b, c and 2 more");
});

it("does not deny the fixes of older ranges when the newest has none", () => {
  const text = (event: object) => told([advisory("curl", event)], tags(0, 1, 0)).text;
  expect(text({ truePositiveDetermination: {} })).toContain("No fixed version is known.");
  expect(
    text({ truePositiveDetermination: {}, affectedRanges: [{ fixed: "1.2" }, { introduced: "2.0" }] }),
  ).toContain("No fix is known for the newest versions.");
});

it("says which earlier versions are affected only where the advisories do", () => {
  const text = (event: object) => told([advisory("zlib", event)], tags(0, 1, 0)).text;
  expect(text({ fixed: { fixedVersion: "2" } })).toContain(
    "zlib: fixed in 2. Earlier versions count as affected: the advisories don't say since which.",
  );
  expect(text({ fixed: { fixedVersion: "2" }, affectedRanges: [{ fixed: "2" }] })).toContain(
    "Earlier versions of zlib are affected, fixed in 2.",
  );
});

it("says how many tags hold the version in which it was detected, and what contains a package", () => {
  const scanv1 = { componentVersion: "2-r2", artifactVersion: "2-r2" };
  const judged = judge([advisory("glibc", { detection: { scanv1 } })]);
  const of = (more: object) => summarize({ id: "CVE-1", judged, here: tags(0, 0, 0, 9, 8), ...more }).text;
  expect(of({ detectedTags: 3 })).toContain(
    "It was detected in glibc 2-r2, which 3 of these tags contain, and isn't",
  );
  expect(of({ contained: "requests" })).toContain("The advisories are about packages that contain requests,");
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

it("compares the fix of a scanner with what the advisories say", () => {
  expect(scannerFixText("2", [fixed])).toBe(
    "The scanner says it is fixed in 2, and so do the advisories here.",
  );
  expect(scannerFixText("3", [fixed])).toBe("The scanner says it is fixed in 3; the advisories here say 2.");
  expect(scannerFixText("3", [affected])).toMatch(/; the advisories here name no fixed version\.$/);
  expect(scannerFixText("3", [])).toMatch(/; no advisory here is about it\.$/);
});

it("says of how many tags something is affected or unknown", () => {
  expect(told([affected], tags(44, 4098, 0, 5223))).toMatchObject({
    title: "44 of 5,223 tags affected: curl",
    text: expect.stringContaining(
      "The packages of 4,098 more of 5,223 tags aren't known: no SBOM of their images was read.",
    ),
  });
  expect(told([affected], tags(0, 3, 0, 9)).title).toBe("Unknown for 3 of 9 tags: curl");
});

it("leads with the tags that hold what isn't decided, apart from those whose packages aren't known", () => {
  const scanv1 = { componentVersion: "2.41.3-r2", artifactVersion: "2.41.3-r2" };
  const detected = advisory("glibc", { detection: { scanv1 } });
  expect(told([detected], tags(0, 4098, 0, 5223, 889))).toMatchObject({
    tone: "warning",
    title: "Not decided for 889 of 5,223 tags: glibc",
    text: "No advisory says whether the versions that they contain are affected. It was detected in glibc 2.41.3-r2, and isn't decided yet. The packages of 4,098 more of 5,223 tags aren't known: no SBOM of their images was read. We don't know yet whether CVE-1 affects glibc.",
  });
  // Whatever leaves it open: here a fix that its version can't be compared with.
  expect(told([fixed], tags(0, 0, 9, 10, 1)).title).toBe("Not decided for 1 of 10 tags: zlib");
  expect(told([affected], tags(2, 0, 0, 9, 3)).text).toContain(
    "3 more of 9 tags contain a version that no advisory decides about.",
  );
});

it("answers for the build that a package URL qualifies", () => {
  const [arm, intel] = ["aarch64", "x86_64"].map((artifactArchitecture) =>
    advisory("curl", { truePositiveDetermination: {} }, { artifactArchitecture, appliesTo: "Alpine:v3.20" }),
  );
  const of = (item: object) =>
    ofPackage({ name: "curl", ...item }, { advisories: [arm, intel] as Advisory[] });
  expect(of({})).toEqual([arm, intel]);
  expect(of({ architecture: "x86_64" })).toEqual([intel]);
  expect(of({ architecture: "riscv64" })).toEqual([]);
  expect(of({ distro: "alpine-3.20.3" })).toHaveLength(2);
  expect(of({ distro: "alpine-3.2" })).toEqual([]);
  expect(of({ distro: "debian-12" })).toEqual([]);
  // What can't be compared is kept.
  expect(of({ distro: "something else" })).toHaveLength(2);
  const item = { type: "apk", name: "curl", version: "1-r0", architecture: "x86_64", distro: "alpine-3.20" };
  expect(readItem(writeItem(item))).toEqual(item);
  expect(itemText(item)).toBe("curl 1-r0 (x86_64, alpine-3.20)");
});

it("says of an architecture without an advisory that it isn't known, not that it isn't affected", () => {
  const of = (id: string, artifactArchitecture: string) =>
    advisory(
      "kubectl",
      { fixed: { fixedVersion: "1" } },
      {
        uid: `org/${id}${artifactArchitecture}`,
        aliases: [id],
        artifactArchitecture,
        installedVersions: [{ version: "2", verdict: "VERSION_VERDICT_NOT_AFFECTED" }],
      },
    );
  const said = (...found: Advisory[]) => summarizeVersion("2", judge(found), true);
  const [both, one] = [
    [of("CVE-1", "aarch64"), of("CVE-1", "x86_64")],
    [of("CVE-2", "x86_64"), of("CVE-3", "x86_64")],
  ];
  expect(said(...both)).toMatchObject({
    tone: "success",
    title: "No, 2 isn't affected, by the 2 advisories recorded here: kubectl, on 2 architectures",
  });
  expect(said(...both, ...one)).toMatchObject({
    tone: "warning",
    title: "2 isn't affected, by the 4 advisories recorded here, but for aarch64 not all is known: kubectl",
    text: "Of 2 vulnerabilities, no advisory is about aarch64. Each advisory below has its answer.",
  });
  // One that names no architecture is about each.
  expect(said(...both, of("CVE-4", "")).tone).toBe("success");
  expect(summarizeVersion("2", judge(one), true, undefined, "x86_64").text).toContain(
    "The answer is for x86_64.",
  );
});

it("has one row for what advisories of several architectures say alike", () => {
  const of = (artifactArchitecture: string, said: object, uid = artifactArchitecture) =>
    advisory("curl", said, {
      uid: `org/${uid}`,
      artifactArchitecture,
      aliases: ["CVE-1"],
      advisoryId: `ADV-${uid}`,
    });
  const fix = (fixedVersion: string) => ({ fixed: { fixedVersion } });
  const rows = (...some: Advisory[]) =>
    alikeIn(judge(some).get("fixed") ?? []).map((same) =>
      same.map((one) => one.advisory.artifactArchitecture),
    );
  expect(rows(of("aarch64", fix("2")), of("x86_64", fix("2")))).toEqual([["aarch64", "x86_64"]]);
  expect(rows(of("aarch64", fix("2")), of("x86_64", fix("3")))).toEqual([["aarch64"], ["x86_64"]]);
});
