import { expect, test } from "vitest";

import type { RetentionValues } from "./retention";
import {
  decide,
  keyOf,
  lineOf,
  namesTest,
  ruleSentence,
  tally,
  unnamedImages,
  type TagFacts,
} from "./retention-decision";
import type { Tag } from "./tags";

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
const deleted = (tags: readonly Tag[], rules: RetentionValues, more?: Partial<TagFacts>): string[] =>
  decide(factsOf(tags, more), rules).flatMap((each) => (each.deleted ? [each.tag.name] : []));
const why = (tags: readonly Tag[], rules: RetentionValues, more?: Partial<TagFacts>): string[] =>
  decide(factsOf(tags, more), rules).map((each) => each.why);

test("latest, active names, names that move and images of synced repos stay whatever the rules are", () => {
  const copied = tag("2.0.0");
  const tags = [tag("latest"), tag("3.0.1"), tag("1.27"), tag("1.27.3"), tag("1"), copied, tag("old")];
  const copies = new Map([[`${REPO} ${copied.digest}`, "mirror"]]);
  expect(deleted(tags, { namePatterns: ["*"] }, { copies })).toEqual(["1.27.3", "old"]);
  expect(why(tags, { namePatterns: ["*"] }, { copies })).toEqual([
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
  expect(deleted([tag("1.27-dev"), tag("1.27.3")], { namePatterns: ["*"] })).toEqual(["1.27-dev", "1.27.3"]);
  expect(deleted([tag("1.27-dev"), tag("1.27.3-dev")], { namePatterns: ["*"] })).toEqual(["1.27.3-dev"]);
  expect(deleted([tag("1.2"), tag("1.27.3")], { namePatterns: ["*"] })).toEqual(["1.2", "1.27.3"]);
});

test("all rules that are set have to hold", () => {
  const tags = [
    tag("pr-1", { days: 40 }),
    tag("pr-2", { days: 20 }),
    tag("main", { days: 40 }),
    tag("pr-3", { days: 31, deprecated: true }),
  ];
  expect(deleted(tags, { namePatterns: ["pr-*"], olderThanDays: 30 })).toEqual(["pr-1", "pr-3"]);
  expect(deleted(tags, { namePatterns: ["pr-*"], olderThanDays: 30, deprecatedOnly: true })).toEqual([
    "pr-3",
  ]);
  expect(why(tags, { namePatterns: ["pr-*"], olderThanDays: 30 })).toEqual([
    "Its name matches, not updated for 40 days",
    "Updated 20 days ago",
    "Its name doesn't match",
    "Its name matches, not updated for 31 days",
  ]);
});

test("a tag exactly as old as the rule goes, one without a time stays", () => {
  const timeless = { ...tag("1.0.0"), updateTime: undefined } as unknown as Tag;
  expect(deleted([tag("2.0.0", { days: 30 }), timeless], { olderThanDays: 30 })).toEqual(["2.0.0"]);
  expect(why([timeless], { olderThanDays: 30 })).toEqual(["When it was updated isn't known"]);
});

test("the newest of each line stay: by version, pre-releases before their release", () => {
  const names = ["1.27.9", "1.27.10", "1.27.10-rc.1", "1.27.2", "1.26.1", "1.27.9-dev", "1.27.10-dev"];
  const tags = names.map((name) => tag(name));
  expect(deleted(tags, { keepNewest: 1 })).toEqual(["1.27.9", "1.27.2", "1.27.9-dev"]);
  expect(why(tags, { keepNewest: 1 })[0]).toBe("Not among the newest 1 of its line");
  expect(deleted(tags, { keepNewest: 2, keepNewestOf: "RETENTION_LINE_MAJOR" })).toEqual([
    "1.27.2",
    "1.26.1",
  ]);
  expect(deleted(tags, { keepNewest: 4, keepNewestOf: "RETENTION_LINE_VARIANT" })).toEqual([]);
});

test("names without a version are newest by their last update", () => {
  const tags = [tag("pr-12", { days: 3 }), tag("pr-9", { days: 1 }), tag("pr-100", { days: 9 })];
  expect(deleted(tags, { keepNewest: 2 })).toEqual(["pr-100"]);
});

test("tags that the rules leave out take no place among the newest", () => {
  const tags = [tag("main-20260811", { days: 1 }), tag("main-12", { days: 2 }), tag("main-11", { days: 3 })];
  expect(deleted(tags, { keepNewest: 1 })).toEqual(["main-11"]);
  expect(deleted(tags, { keepNewest: 1, includedNames: ["RETENTION_NAMES_DATES"] })).toEqual([
    "main-12",
    "main-11",
  ]);
});

test("dated tags, build tags and signatures go only where chosen, a signature only with its image", () => {
  const [kept, gone] = [tag("1.0.0", { days: 1, image: 7001 }), tag("0.9.0", { image: 7002 })];
  const signatures = [7001, 7002].map((image) => tag(`sha256-${digest(image).slice(7)}.sig`));
  const tags = [kept, gone, ...signatures, tag("1.0.0-r1"), tag("1.0.0-20260101")];
  expect(deleted(tags, { olderThanDays: 30 })).toEqual(["0.9.0"]);
  expect(deleted(tags, { olderThanDays: 30, includedNames: ["RETENTION_NAMES_REFERRERS"] })).toEqual([
    "0.9.0",
    signatures[1]?.name,
  ]);
  expect(
    deleted(tags, { olderThanDays: 30, includedNames: ["RETENTION_NAMES_DATES", "RETENTION_NAMES_EPOCHS"] }),
  ).toEqual(["0.9.0", "1.0.0-r1", "1.0.0-20260101"]);
  expect(why(tags, { olderThanDays: 30, includedNames: ["RETENTION_NAMES_REFERRERS"] })[2]).toBe(
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
  expect(unnamedImages(decide(factsOf(tags), { namePatterns: ["*"] }))).toBe(1);
});

test("reasons are counted, the most common first", () => {
  const tags = [tag("latest"), tag("a", { days: 1 }), tag("b", { days: 2 })];
  expect(tally(decide(factsOf(tags), { olderThanDays: 30 }))).toEqual([
    ["Updated too recently", 2],
    ["latest is never deleted", 1],
  ]);
});

test.each([
  ["1.27.3", "RETENTION_LINE_MINOR", "1.27 "],
  ["v1.27.3", "RETENTION_LINE_MINOR", "1.27 "],
  ["1.27.3-dev", "RETENTION_LINE_MINOR", "1.27 -dev"],
  ["1.27.3-r12", "RETENTION_LINE_MINOR", "1.27 -r#"],
  ["1.27.3", "RETENTION_LINE_MAJOR", "1 "],
  ["1.27.3-dev", "RETENTION_LINE_VARIANT", " -dev"],
  ["main-3fa9c", "RETENTION_LINE_MINOR", "main-#"],
  ["nightly", "RETENTION_LINE_MINOR", "nightly"],
] as const)("the line of %s by %s is %j", (name, by, line) => expect(lineOf(name, by)).toBe(line));

test("patterns match whole names, and nothing else in them is special", () => {
  const fits = namesTest(["pr-*", "*.sig", "a+b"]);
  expect(["pr-1", "pr-", "x.sig", "a+b"].every((name) => fits?.(name))).toBe(true);
  expect(["xpr-1", "xsig", "aab", "PR-1"].some((name) => fits?.(name))).toBe(false);
  expect(["a-b-c", "abc", "a-c"].map((name) => namesTest(["a*b*c"])?.(name))).toEqual([true, true, false]);
  expect(["aa", "a", "aba"].map((name) => namesTest(["a*a"])?.(name))).toEqual([true, false, true]);
  expect(namesTest([])).toBeUndefined();
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
  const rules = { notPulledDays: 30 };
  const counted = { usage: usageOf(at(90)) };
  expect(deleted(tags, rules, counted)).toEqual(["unused"]);
  expect(why(tags, rules, counted)).toEqual([
    "Pulled too recently",
    "Pulled too recently",
    "Pushed too recently",
    "Not pulled within 30 days",
  ]);
  expect(deleted(tags, { ...rules, downloadsOnly: true }, counted)).toEqual(["asked", "unused"]);
  // Counting began too late, or never.
  expect(deleted(tags, rules, { usage: usageOf(at(10)) })).toEqual([]);
  expect(why([unused], rules, { usage: usageOf(undefined) })).toEqual(["Whether it was pulled isn't known"]);
  expect(deleted(tags, rules)).toEqual([]);
});

test("a name still moves after a run deleted what it moved with", () => {
  const former = new Map([[REPO, ["1.27.3", "2.0-dev"]]]);
  const tags = [tag("1.27"), tag("1"), tag("2"), tag("2-dev")];
  expect(deleted(tags, { namePatterns: ["*"] }, { former })).toEqual(["2"]);
  expect(deleted(tags, { namePatterns: ["*"] })).toEqual(["1.27", "2", "2-dev"]);
});

test("exempt names, restored tags and images that were downloaded stay", () => {
  const [exempt, restored, moved, used, unused] = ["v-1", "back", "back-2", "used", "unused"].map((name) =>
    tag(name),
  ) as [Tag, Tag, Tag, Tag, Tag];
  const more = {
    restored: new Set([keyOf(REPO, `back ${restored.digest}`), keyOf(REPO, `back-2 ${digest(1)}`)]),
    pulled: new Map([
      [keyOf(REPO, used.digest), new Date(NOW - 29 * 86_400_000)],
      [keyOf(REPO, unused.digest), new Date(NOW - 31 * 86_400_000)],
    ]),
  };
  const rule = { namePatterns: ["*"], exemptPatterns: ["v-*"] };
  expect(why([exempt, restored, moved, used, unused], rule, more)).toEqual([
    "Exempt by name",
    "Restored after a run",
    "Its name matches",
    "Its image was downloaded within 30 days",
    "Its name matches",
  ]);
});

test.each([
  [{ olderThanDays: 1 }, "Deletes tags not updated for 1 day."],
  [
    {
      namePatterns: ["pr-*", "*-dev"],
      deprecatedOnly: true,
      notPulledDays: 1_000,
      keepNewest: 3,
      includedNames: ["RETENTION_NAMES_DATES", "RETENTION_NAMES_REFERRERS"],
      exemptPatterns: ["pr-1"],
    },
    "Deletes tags named pr-*, *-dev, deprecated, not pulled for 1,000 days, beyond the newest 3 of each minor version, dated tags and signatures too. Never pr-1.",
  ],
])("%j in words", (rule, sentence) => expect(ruleSentence(rule)).toBe(sentence));
