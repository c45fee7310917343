import { expect, test } from "vitest";

import type { Tag } from "platform-contract/registry/tags";

import { decide, lineOf, namesTest, tally, unnamedImages, type TagFacts } from "./decide";
import { NO_RULES, problemsOf, readRules, rulesFile, type Rules } from "./rules";

const REPO = `${"a".repeat(40)}/${"b".repeat(16)}`;
const NOW = Date.parse("2026-11-26T00:00:00Z");
const digest = (index: number) => `sha256:${String(index).padStart(64, "0")}`;

let next = 0;
/** `days`: since its last update. */
const tag = (name: string, { days = 100, image = (next += 1), deprecated = false } = {}): Tag =>
  ({
    uid: `${REPO}/${String((next += 1)).padStart(16, "0")}`,
    name,
    digest: digest(image),
    updateTime: new Date(NOW - days * 86_400_000).toISOString(),
    deprecated,
  }) as Tag;

const factsOf = (tags: readonly Tag[], more: Partial<TagFacts> = {}): TagFacts => ({
  tags,
  repos: new Map([[REPO, { name: "web", activeTags: ["3.0.1"] }]]),
  copies: new Map(),
  now: NOW,
  ...more,
});
const rulesOf = (rules: Partial<Rules>): Rules => ({ ...NO_RULES, ...rules });
const deleted = (tags: readonly Tag[], rules: Partial<Rules>, more?: Partial<TagFacts>): string[] =>
  decide(factsOf(tags, more), rulesOf(rules)).flatMap((each) => (each.deleted ? [each.tag.name] : []));
const why = (tags: readonly Tag[], rules: Partial<Rules>, more?: Partial<TagFacts>): string[] =>
  decide(factsOf(tags, more), rulesOf(rules)).map((each) => each.why);

test("latest, active names, names that move and images of synced repos stay whatever the rules are", () => {
  const copied = tag("2.0.0");
  const tags = [tag("latest"), tag("3.0.1"), tag("1.27"), tag("1.27.3"), tag("1"), copied, tag("old")];
  const copies = new Map([[`${REPO} ${copied.digest}`, "mirror"]]);
  expect(deleted(tags, { names: "*" }, { copies })).toEqual(["1.27.3", "old"]);
  expect(why(tags, { names: "*" }, { copies })).toEqual([
    "latest is never deleted",
    "Active in its repo",
    "Moves with newer versions",
    "Its name matches",
    "Moves with newer versions",
    "Its image is in mirror, which is synced from here",
    "Its name matches",
  ]);
});

test("a name moves only beside a longer version of the same variant", () => {
  expect(deleted([tag("1.27-dev"), tag("1.27.3")], { names: "*" })).toEqual(["1.27-dev", "1.27.3"]);
  expect(deleted([tag("1.27-dev"), tag("1.27.3-dev")], { names: "*" })).toEqual(["1.27.3-dev"]);
  expect(deleted([tag("1.2"), tag("1.27.3")], { names: "*" })).toEqual(["1.2", "1.27.3"]);
});

test("all rules that are set have to hold", () => {
  const tags = [
    tag("pr-1", { days: 40 }),
    tag("pr-2", { days: 20 }),
    tag("main", { days: 40 }),
    tag("pr-3", { days: 31, deprecated: true }),
  ];
  expect(deleted(tags, { names: "pr-*", olderThanDays: "30" })).toEqual(["pr-1", "pr-3"]);
  expect(deleted(tags, { names: "pr-*", olderThanDays: "30", deprecated: true })).toEqual(["pr-3"]);
  expect(why(tags, { names: "pr-*", olderThanDays: "30" })).toEqual([
    "Its name matches, not updated for 40 days",
    "Updated 20 days ago",
    "Its name doesn't match",
    "Its name matches, not updated for 31 days",
  ]);
});

test("a tag exactly as old as the rule goes, one without a time stays", () => {
  const timeless = { ...tag("1.0.0"), updateTime: undefined } as unknown as Tag;
  expect(deleted([tag("2.0.0", { days: 30 }), timeless], { olderThanDays: "30" })).toEqual(["2.0.0"]);
  expect(why([timeless], { olderThanDays: "30" })).toEqual(["When it was updated isn't known"]);
});

test("the newest of each line stay: by version, pre-releases before their release", () => {
  const names = ["1.27.9", "1.27.10", "1.27.10-rc.1", "1.27.2", "1.26.1", "1.27.9-dev", "1.27.10-dev"];
  const tags = names.map((name) => tag(name));
  expect(deleted(tags, { keepNewest: "1" })).toEqual(["1.27.9", "1.27.2", "1.27.9-dev"]);
  expect(why(tags, { keepNewest: "1" })[0]).toBe("Not among the newest 1 of its line");
  expect(deleted(tags, { keepNewest: "2", line: "major" })).toEqual(["1.27.2", "1.26.1"]);
  expect(deleted(tags, { keepNewest: "4", line: "variant" })).toEqual([]);
});

test("names without a version are newest by their last update", () => {
  const tags = [tag("pr-12", { days: 3 }), tag("pr-9", { days: 1 }), tag("pr-100", { days: 9 })];
  expect(deleted(tags, { keepNewest: "2" })).toEqual(["pr-100"]);
});

test("tags that the rules leave out take no place among the newest", () => {
  const tags = [tag("main-20260811", { days: 1 }), tag("main-12", { days: 2 }), tag("main-11", { days: 3 })];
  expect(deleted(tags, { keepNewest: "1" })).toEqual(["main-11"]);
  expect(deleted(tags, { keepNewest: "1", kinds: ["dates"] })).toEqual(["main-12", "main-11"]);
});

test("dated tags, build tags and signatures go only where chosen, a signature only with its image", () => {
  const [kept, gone] = [tag("1.0.0", { days: 1, image: 7001 }), tag("0.9.0", { image: 7002 })];
  const signatures = [7001, 7002].map((image) => tag(`sha256-${digest(image).slice(7)}.sig`));
  const tags = [kept, gone, ...signatures, tag("1.0.0-r1"), tag("1.0.0-20260101")];
  expect(deleted(tags, { olderThanDays: "30" })).toEqual(["0.9.0"]);
  expect(deleted(tags, { olderThanDays: "30", kinds: ["referrers"] })).toEqual([
    "0.9.0",
    signatures[1]?.name,
  ]);
  expect(deleted(tags, { olderThanDays: "30", kinds: ["dates", "epochs"] })).toEqual([
    "0.9.0",
    "1.0.0-r1",
    "1.0.0-20260101",
  ]);
  expect(why(tags, { olderThanDays: "30", kinds: ["referrers"] })[2]).toBe(
    "Belongs to an image that is kept",
  );
});

test("images that keep no tag are counted once", () => {
  const tags = [
    tag("a1", { image: 1 }),
    tag("a2", { image: 1 }),
    tag("b", { image: 2 }),
    tag("latest", { image: 2 }),
  ];
  expect(unnamedImages(decide(factsOf(tags), rulesOf({ names: "*" })))).toBe(1);
});

test("reasons are counted, the most common first", () => {
  const tags = [tag("latest"), tag("a", { days: 1 }), tag("b", { days: 2 })];
  expect(tally(decide(factsOf(tags), rulesOf({ olderThanDays: "30" })))).toEqual([
    ["Updated too recently", 2],
    ["latest is never deleted", 1],
  ]);
});

test.each([
  ["1.27.3", "minor", "1.27 "],
  ["v1.27.3", "minor", "1.27 "],
  ["1.27.3-dev", "minor", "1.27 -dev"],
  ["1.27.3-r12", "minor", "1.27 -r#"],
  ["1.27.3", "major", "1 "],
  ["1.27.3-dev", "variant", " -dev"],
  ["main-3fa9c", "minor", "main-#"],
  ["nightly", "minor", "nightly"],
] as const)("the line of %s by %s is %j", (name, by, line) => expect(lineOf(name, by)).toBe(line));

test("patterns match whole names, and nothing else in them is special", () => {
  const fits = namesTest(" pr-*, *.sig ,a+b");
  expect(["pr-1", "pr-", "x.sig", "a+b"].every((name) => fits?.(name))).toBe(true);
  expect(["xpr-1", "xsig", "aab", "PR-1"].some((name) => fits?.(name))).toBe(false);
  expect(["a-b-c", "abc", "a-c"].map((name) => namesTest("a*b*c")?.(name))).toEqual([true, true, false]);
  expect(["aa", "a", "aba"].map((name) => namesTest("a*a")?.(name))).toEqual([true, false, true]);
  expect(namesTest(" , ")).toBeUndefined();
});

test("rules are read back as they were written, and others are refused with a sentence", () => {
  const rules = rulesOf({ names: "pr-*", olderThanDays: "30", kinds: ["dates"] });
  expect(readRules(rulesFile(rules))).toEqual(rules);
  expect(() => readRules("{")).toThrow("This file isn't valid JSON.");
  expect(() => readRules("{}")).toThrow("This file has no retention rules.");
  expect(() => readRules(rulesFile(rules).replace('"version": 1', '"version": 2'))).toThrow(
    "These rules have version 2, but this console reads version 1.",
  );
  expect(() => readRules(rulesFile(rules).replace('"30"', "30"))).toThrow(/damaged at olderThanDays/);
  // Half filled in: said by the preview.
  expect(readRules(rulesFile({ ...rules, olderThanDays: "-" })).olderThanDays).toBe("-");
});

test("no rule at all would delete everything, and is refused; so are numbers that are none", () => {
  expect(problemsOf(NO_RULES)).toEqual({
    names: "Set at least one rule. Without any, every tag would be deleted.",
  });
  expect(problemsOf(rulesOf({ olderThanDays: "0" })).olderThanDays).toMatch(/whole number of days/);
  expect(problemsOf(rulesOf({ keepNewest: "1.5" })).keepNewest).toMatch(/whole number of tags/);
  expect(problemsOf(rulesOf({ deprecated: true }))).toEqual({});
});

test("what was not pulled goes, and what is unknown stays", () => {
  const at = (days: number): string => new Date(NOW - days * 86_400_000).toISOString();
  const [pulled, asked, pushed, unused] = [
    tag("pulled"),
    tag("asked"),
    tag("pushed", { days: 5 }),
    tag("unused"),
  ] as const;
  const usageOf = (countedSince: string | undefined) =>
    new Map(
      [
        { tag: pulled, row: { lastDownloadTime: at(3) } },
        { tag: asked, row: { lastDownloadTime: at(60), lastAskTime: at(3) } },
        { tag: pushed, row: undefined },
        { tag: unused, row: { lastDownloadTime: at(60) } },
      ].map(({ tag: { uid }, row }) => [uid, { row, countedSince }]),
    );
  const tags = [pulled, asked, pushed, unused];
  const rules = { notPulledDays: "30" };
  const counted = { usage: usageOf(at(90)) };
  expect(deleted(tags, rules, counted)).toEqual(["unused"]);
  expect(why(tags, rules, counted)).toEqual([
    "Pulled too recently",
    "Pulled too recently",
    "Pushed too recently",
    "Not pulled within 30 days",
  ]);
  expect(deleted(tags, { ...rules, askedCounts: false }, counted)).toEqual(["asked", "unused"]);
  // Counting began too late, or never.
  expect(deleted(tags, rules, { usage: usageOf(at(10)) })).toEqual([]);
  expect(why([unused], rules, { usage: usageOf(undefined) })).toEqual(["Whether it was pulled isn't known"]);
  expect(deleted(tags, rules)).toEqual([]);
});

test("files of rules from before pulls were counted are still read", () => {
  const { notPulledDays: _, askedCounts: __, ...before } = rulesOf({ names: "old-*" });
  expect(readRules(rulesFile(before as Rules))).toEqual(rulesOf({ names: "old-*" }));
  expect(problemsOf(rulesOf({ notPulledDays: "0" }))).toHaveProperty("notPulledDays");
  expect(problemsOf(rulesOf({ notPulledDays: "30" }))).toEqual({});
});
