import { expect, test } from "vitest";

import type { Repo } from "platform-contract/registry/repos";
import { EVERYWHERE } from "~/frame/scope/scope";
import { tierWord } from "~/domains/registry/references/tiers";

import { isSynced, repoScreens } from "./data";

const UID = "0".repeat(40);
const repo = (fields: object): Repo => ({ uid: UID, name: "web", ...fields });
const finds = (address: object) =>
  repoScreens.resolve(EVERYWHERE, repoScreens.readList({ ...address })).matches;

test("a readme is written on the page of its repo, not over the list", () => {
  expect(repoScreens.readList({ drawer: "readme", item: UID })).toEqual({});
  expect(repoScreens.readPage({ drawer: "readme" })).toEqual({ drawer: "readme" });
});

test("filters are said in words", () => {
  expect(repoScreens.resolve(EVERYWHERE, { name: "a", contains: "b", tier: "devtools" }).words).toEqual([
    'name is exactly "a"',
    'name, description or alias contains "b"',
    "tier is Developer tools",
  ]);
});

test("a text is looked for in name, description and aliases; no tier is one that was never set", () => {
  const found = finds({ contains: "HTTP" });
  expect(found?.(repo({ description: "An http server" }))).toBe(true);
  expect(found?.(repo({ aliases: ["web", "httpd"] }))).toBe(true);
  expect(found?.(repo({ bundles: ["http"] }))).toBe(false);
  const base = repo({ catalogTier: "CATALOG_TIER_BASE" });
  expect(finds({ tier: "base" })?.(base)).toBe(true);
  for (const catalogTier of [undefined, "", "CATALOG_TIER_UNSPECIFIED"])
    expect(finds({ tier: "none" })?.(repo({ catalogTier }))).toBe(true);
  expect(finds({ tier: "none" })?.(base)).toBe(false);
});

test("a sync stops soon by its end alone", () => {
  const ending = (days: number) =>
    repo({
      sync_config: { source: UID, expirationTime: new Date(Date.now() + days * 86_400_000).toISOString() },
    });
  const found = finds({ sync: "stopping" });
  expect([-40, 29, 31].map((days) => found?.(ending(days)))).toEqual([true, true, false]);
  expect(found?.(repo({ sync_config: { source: UID } }))).toBe(false);
  expect(found?.(repo({}))).toBe(false);
});

test("words for what a newer service says, and for what is not there", () => {
  expect(tierWord("CATALOG_TIER_AI")).toBe("AI and ML");
  expect(tierWord("CATALOG_TIER_OF_TOMORROW")).toBe("of tomorrow");
  expect(tierWord("CATALOG_TIER_UNSPECIFIED")).toBeUndefined();
  expect(isSynced(repo({ sync_config: { source: UID } }))).toBe(true);
  expect(isSynced(repo({ sync_config: {} }))).toBe(false);
});
