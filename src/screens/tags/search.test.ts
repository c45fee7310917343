import { expect, it } from "vitest";

import {
  isScanned,
  kindsOf,
  readCompareSearch,
  readTagDetailSearch,
  readTagListSearch,
  isOfRepo,
} from "./search";
import { arrangedOf, calledOf, filterWords } from "./words";

const repo = `${"a".repeat(40)}_${"b".repeat(16)}`;

it("reads what the list can show", () => {
  const view = {
    repo,
    order: "version desc",
    name: "1e5",
    digest: "sha256:0",
    contains: "dev",
    deprecated: "no",
    since: "2026-08-11",
    by: "digest",
    dates: "yes",
    referrers: "yes",
    at: "120",
    drawer: "pull",
    item: repo,
  };
  expect(readTagListSearch(view)).toEqual(view);
});

it("leaves out what no list can mean", () => {
  const nonsense = {
    repo: "python",
    order: "digest",
    name: " ",
    digest: "",
    contains: 7,
    deprecated: "maybe",
    since: "2026-13-45",
    by: "name",
    dates: "no",
    epochs: true,
    at: "-1",
    drawer: "edit",
    item: repo,
  };
  expect(readTagListSearch(nonsense)).toEqual({});
  expect(readTagListSearch({ since: "yesterday", order: "updateTime" })).toEqual({ order: "updated_at" });
});

it("opens over the tags of one repo what is done with the repo, about no tag", () => {
  const edit = readTagListSearch({ repo, drawer: "edit" });
  expect(edit).toEqual({ repo, drawer: "edit" });
  expect(isOfRepo(edit)).toBe(true);
  expect(isOfRepo({ repo, drawer: "delete" })).toBe(true);
  expect(isOfRepo({ repo, drawer: "delete", item: `${repo}_1` })).toBe(false);
  expect(isOfRepo({ repo, drawer: "create" })).toBe(false);
});

it("of one tag reads only what is done with it, of a comparison what is compared", () => {
  expect(readTagDetailSearch({ drawer: "delete", repo, name: "x" })).toEqual({ drawer: "delete" });
  expect(readCompareSearch({ a: repo, b: "latest" })).toEqual({ a: repo });
});

it("knows what the service cannot give", () => {
  const views = [{}, { name: "1" }, { order: "name" }, { since: "2026-01-01" }, { dates: "yes" }] as const;
  expect(views.map(isScanned)).toEqual([false, false, false, false, false]);
  const scanned = [{ contains: "1" }, { deprecated: "no" }, { by: "digest" }, { order: "version" }] as const;
  expect(scanned.map(isScanned)).toEqual([true, true, true, true]);
});

it("hides kinds of names as the service does, unless something has to be found among them", () => {
  expect(kindsOf({})).toEqual([]);
  expect(kindsOf({ epochs: "yes" })).toEqual(["epochs"]);
  expect(kindsOf({ contains: "1" })).toEqual([]);
  expect(kindsOf({ deprecated: "yes" })).toEqual(["dates", "epochs"]);
  expect(kindsOf({ deprecated: "no", referrers: "yes" })).toEqual(["dates", "epochs", "referrers"]);
  expect(kindsOf({ name: "1-r0" })).toEqual(["dates", "epochs", "referrers"]);
});

it("says its filters, and what a scan's line calls what it keeps", () => {
  expect(
    filterWords({ name: "1", digest: "sha256:0", contains: "x", deprecated: "no", since: "2026-01-01" }),
  ).toEqual([
    'name is exactly "1"',
    'name contains "x"',
    'digest is exactly "sha256:0"',
    "not deprecated",
    "updated since 2026-01-01",
  ]);
  expect(filterWords({ order: "version", by: "digest", dates: "yes" })).toEqual([]);
  expect(
    [{}, { contains: "x", deprecated: "yes" } as const, { deprecated: "yes" } as const].map(calledOf),
  ).toEqual(["", "found", "deprecated"]);
  expect(arrangedOf({ by: "digest", order: "version desc" })).toBe("grouped by digest, ordered by version");
  expect(arrangedOf({ by: "digest", order: "name" })).toBe("grouped by digest");
  expect(arrangedOf({ order: "name" })).toBeUndefined();
});
