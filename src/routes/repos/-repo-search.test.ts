import { expect, test } from "vitest";

import type { Repo } from "~/contract/registry/repos";

import { matcherOf } from "./-repo-scan";
import { filterWords, isScanned, readRepoDetailSearch, readRepoListSearch } from "./-repo-search";
import { isSynced, nameOf, tierWord } from "./-repo-words";

const UID = "0".repeat(40);
const repo = (fields: object): Repo => ({ uid: UID, name: "web", ...fields });

test("an address keeps what can be meant and loses the rest", () => {
  const search = {
    order: "updated_at desc",
    name: "web",
    contains: "w",
    tier: "fips",
    at: "40",
    drawer: "edit",
    item: UID,
  };
  expect(readRepoListSearch(search)).toEqual(search);
  expect(
    readRepoListSearch({
      order: "digest",
      name: "",
      contains: " ",
      tier: "gold",
      at: "-1",
      drawer: "x",
      item: UID,
    }),
  ).toEqual({});
  // A readme is written on the page of its repo.
  expect(readRepoListSearch({ drawer: "readme", item: "none" })).toEqual({});
  expect(readRepoDetailSearch({ drawer: "readme" })).toEqual({ drawer: "readme" });
  expect(readRepoDetailSearch({ drawer: "create" })).toEqual({});
});

test("what the API cannot filter is scanned, and said in words", () => {
  expect(isScanned({ name: "web" })).toBe(false);
  expect(isScanned({ tier: "ai" })).toBe(true);
  expect(filterWords({ name: "a", contains: "b", tier: "devtools" })).toEqual([
    'name is exactly "a"',
    'name, description or alias contains "b"',
    "tier is Developer tools",
  ]);
});

test("a scan keeps what holds the text in its name, its description or an alias, and has the tier", () => {
  const found = matcherOf({ contains: "HTTP" });
  expect(found(repo({ description: "An http server" }))).toBe(true);
  expect(found(repo({ aliases: ["web", "httpd"] }))).toBe(true);
  expect(found(repo({ bundles: ["http"] }))).toBe(false);
  const base = repo({ catalogTier: "CATALOG_TIER_BASE" });
  expect(matcherOf({ tier: "base" })(base)).toBe(true);
  expect(matcherOf({ tier: "base", contains: "x" })(base)).toBe(false);
  // No tier is one that was never set, and the zero value of its enum.
  for (const catalogTier of [undefined, "", "CATALOG_TIER_UNSPECIFIED"])
    expect(matcherOf({ tier: "none" })(repo({ catalogTier }))).toBe(true);
  expect(matcherOf({ tier: "none" })(base)).toBe(false);
});

test("words for what a newer service says, and for what is not there", () => {
  expect(tierWord("CATALOG_TIER_AI")).toBe("AI and ML");
  expect(tierWord("CATALOG_TIER_OF_TOMORROW")).toBe("of tomorrow");
  expect(tierWord("CATALOG_TIER_UNSPECIFIED")).toBeUndefined();
  expect(nameOf(repo({ name: "" }))).toMatch(/^0+…0+$/);
  expect(isSynced(repo({ sync_config: { source: UID } }))).toBe(true);
  expect(isSynced(repo({ sync_config: {} }))).toBe(false);
});
