import { expect, it } from "vitest";

import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import type { PastedItem } from "~/domains/vulnerabilities/advisories/pasted/item";

import { containedIn, heldBy, itemsOf, ofPackage, readAffected, soughtBy, type AffectedAnswer } from "./data";
import { shortAnswer } from "./questions";

const advisory = (
  artifactName: string,
  verdict: string,
  event: object = { fixed: { fixedVersion: "2" } },
): Advisory => ({
  uid: `org/${artifactName} ${verdict}`,
  artifactName,
  artifactType: "apk",
  events: [{ uid: "1", createTime: "2026-01-01T00:00:00Z", reviewState: "REVIEW_STATE_APPROVED", ...event }],
  installedVersions: [{ version: "1", verdict: `VERSION_VERDICT_${verdict}` }],
});
const CVE = "CVE-2026-1";
const redis: PastedItem = { id: CVE, name: "redis", version: "1", type: "apk" };
const [yes, no] = [advisory("redis", "AFFECTED"), advisory("redis", "NOT_AFFECTED")];
const other = advisory("zlib", "AFFECTED");

it.each<[PastedItem, Advisory[], string]>([
  [{ id: CVE }, [], "No advisory here"],
  [redis, [], "Unknown: no advisory here has this id"],
  [{ name: "redis", version: "1" }, [], "Unknown: no advisory here is about it"],
  [{ word: "redis" }, [], "Unknown: no advisory here is about it"],
  [redis, [other], "Unknown: the advisories with this id name other packages"],
  [{ ...redis, type: "npm" }, [yes], "Unknown: the advisories with this id name other packages"],
  [redis, [yes, no, other], "Affected"],
  [redis, [no, other], "Not affected by 1 advisory"],
  [redis, [advisory("redis", "UNKNOWN"), no], "Unknown: the version can't be decided"],
  [
    { id: CVE },
    [advisory("redis", "", { truePositiveDetermination: {} })],
    "Unknown: by advisories affected; not compared with images",
  ],
  [{ id: CVE }, [yes], "Unknown: by advisories fixed in newer versions; not compared with images"],
  [{ id: CVE }, [advisory("redis", "", { falsePositiveDetermination: {} })], "Not affected"],
])("answers %j with what is known: case %#", (item, advisories, text) => {
  const id = item.id === undefined ? {} : { id: item.id };
  expect(shortAnswer(item, { advisories, alsoCalled: [], partial: false, ...id }).text).toBe(text);
});

it("answers an id by the tags that are here", () => {
  const answer: AffectedAnswer = { advisories: [yes], alsoCalled: [], partial: false, id: CVE };
  const text = (affected: number, unknown: number, not_affected: number, hidden?: string, undecided = 0) =>
    shortAnswer(
      { id: CVE },
      answer,
      { counts: { affected, undecided, unknown, not_affected }, of: 9 },
      hidden,
    ).text;
  expect(text(2, 1, 1)).toBe("Affected: 2 of 9 tags");
  expect(text(0, 1, 1)).toBe("Unknown for 1 of 9 tags");
  expect(text(0, 1, 1, undefined, 3)).toBe("Not decided for 3 of 9 tags");
  expect(text(0, 0, 1)).toBe("Not affected");
  expect(text(0, 0, 0)).toBe("None known of 9 tags");
  expect(text(0, 0, 1, "hidden")).toMatch(/^Unknown/);
  expect(shortAnswer(redis, { ...answer, advisories: [no] }, undefined, "hidden").text).toBe(
    "Unknown: hidden",
  );
  const none = { ...answer, advisories: [] };
  expect(
    [{ id: CVE }, { word: "redis" }].map((one) => shortAnswer(one, none, undefined, "hidden").text),
  ).toEqual([
    "Unknown: no advisory that you can see has this id",
    "Unknown: no advisory that you can see is about it",
  ]);
});

it("looks in images only for the package that is asked about", () => {
  const [of, beside] = [
    { ...yes, advisoryId: "ADV-1" },
    { ...other, advisoryId: "ADV-2" },
  ];
  const answer: AffectedAnswer = {
    advisories: [of, beside],
    alsoCalled: ["GHSA-1"],
    partial: false,
    id: CVE,
  };
  expect(soughtBy(redis, answer)).toEqual({ advisoryIds: ["ADV-1"] });
  const arm = { ...of, advisoryId: "ADV-3", artifactArchitecture: "aarch64" };
  const intel = { ...of, artifactArchitecture: "x86_64" };
  const both = { ...answer, advisories: [arm, intel], id: undefined };
  expect(soughtBy({ name: "redis", architecture: "aarch64" }, both)).toEqual({ advisoryIds: ["ADV-3"] });
  expect(soughtBy({ name: "redis" }, both)).toEqual({ artifactNames: ["redis"] });
  expect(soughtBy({ id: CVE }, answer)).toEqual({ aliases: [CVE, "GHSA-1"] });
  expect(soughtBy({ ...redis, type: "npm" }, answer)).toBeUndefined();
  expect(heldBy(redis, answer)).toEqual({ packageName: "redis", packageVersion: "1" });
  expect(heldBy({ id: CVE }, answer)).toBeUndefined();
  expect(heldBy({ word: "redis" }, { ...answer, id: undefined })).toEqual({ packageName: "redis" });
});

it("needs a version to say anything of a package", () => {
  const answer: AffectedAnswer = { advisories: [yes, no], alsoCalled: [], partial: false };
  for (const item of [{ name: "redis" }, { word: "redis" }])
    expect(shortAnswer(item, answer).text).toBe("Unknown: 2 advisories; add the version");
});

it("is unknown rather than 'not affected' while there is more to read", () => {
  const answer: AffectedAnswer = { advisories: [no], alsoCalled: [], partial: true, id: CVE };
  expect(shortAnswer(redis, answer).text).toMatch(/^Unknown/);
  expect(shortAnswer({ id: CVE }, answer).text).toMatch(/^Unknown/);
  expect(shortAnswer(redis, { ...answer, advisories: [yes] }).text).toBe("Affected");
});

it("finds what scanners call otherwise: components, what a package is built from, and other spellings", () => {
  const contains: Advisory = {
    ...yes,
    advisoryId: "ADV-1",
    artifactName: "triton",
    componentName: "requests",
  };
  const answer: AffectedAnswer = { advisories: [contains], alsoCalled: [], partial: false };
  const item: PastedItem = { name: "requests", version: "1" };
  // The verdict is about the version of what contains it.
  expect(ofPackage(item, answer)).toEqual([{ ...contains, installedVersions: undefined }]);
  expect(containedIn(item, answer)).toBe("requests");
  expect(soughtBy(item, answer)).toEqual({ advisoryIds: ["ADV-1"] });
  expect(shortAnswer(item, answer).text).toBe("Unknown: 1 advisory about what contains it");
  expect(containedIn({ word: "requests" }, answer)).toBe("requests");

  const built = { ...answer, advisories: [yes], builtFrom: ["redis"] };
  const part: PastedItem = { name: "redis-cli", version: "1", type: "apk" };
  expect(shortAnswer(part, built).text).toBe("Affected");
  expect(soughtBy(part, built)).toEqual({ artifactNames: ["redis"] });
  expect(heldBy(part, built)).toEqual({ packageName: "redis-cli", packageVersion: "1" });
  expect(shortAnswer(part, { ...built, builtFrom: [] }).text).toMatch(/^Unknown/);

  const loud: PastedItem = { name: "REDIS", version: "1" };
  expect(shortAnswer(loud, { ...answer, advisories: [yes] }).text).toBe("Affected");
  expect(heldBy(loud, { ...answer, advisories: [yes] })).toMatchObject({ packageName: "redis" });
});

it("compares types by the names of package URLs", () => {
  const python = { ...yes, artifactType: "python" };
  expect(ofPackage({ name: "redis", type: "pypi" }, { advisories: [python, yes] })).toEqual([python]);
  expect(ofPackage({ name: "redis" }, { advisories: [python, yes] })).toEqual([python, yes]);
});

it("keeps in the address what is asked, each once, and which is shown", () => {
  const ask = "CVE-2026-1~pkg:apk/redis@1 openssl CVE-2026-2 openssl";
  expect(readAffected({ ask, pick: "openssl", of: "7" })).toEqual({
    ask: "CVE-2026-1~pkg:apk/redis@1 openssl CVE-2026-2",
    pick: "openssl",
    of: "7",
  });
  expect(itemsOf({ ask })).toEqual([redis, { word: "openssl" }, { id: "CVE-2026-2" }]);
  expect(readAffected({ ask, pick: "zlib", of: "3" })).not.toHaveProperty("pick");
  expect(readAffected({ id: " cve-2026-1 ", version: 1, ask })).toEqual({ id: CVE, version: "1" });
  expect(readAffected({ ask: " " })).toEqual({});
});
