import { expect, test } from "vitest";

import type { ListView } from "~/frame/define";

import { isInProduction } from "platform-contract/registry/tag-names";
import { EVERYWHERE } from "~/frame/scope/scope";
import { arrangedOf, calledOf, readCompare, shows, tagScreens } from "./data";

const repo = `${"a".repeat(40)}_${"b".repeat(16)}`;
const matcher = (view: ListView) => tagScreens.resolve(EVERYWHERE, view).matches;
const asked = (view: ListView) => tagScreens.resolve(EVERYWHERE, view).list.queryKey[2];

test("an address keeps what the list can show", () => {
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
  expect(tagScreens.readList(view)).toEqual(view);
});

test("an address loses what no list can mean", () => {
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
    drawer: "readme",
    item: repo,
  };
  expect(tagScreens.readList(nonsense)).toEqual({});
  expect(tagScreens.readList({ since: "yesterday", order: "updateTime" })).toEqual({ order: "updated_at" });
  expect(tagScreens.readPage({ drawer: "edit", repo, name: "x" })).toEqual({});
  expect(readCompare({ a: repo, b: "latest" })).toEqual({ a: repo });
});

test("drawers about a tag open over list and page, those of the repo over its tags", () => {
  for (const drawer of ["create", "pull", "delete"])
    expect(tagScreens.readPage({ drawer })).toEqual({ drawer });
  expect(tagScreens.readList({ repo, drawer: "edit" })).toEqual({ repo, drawer: "edit" });
  expect(tagScreens.readList({ drawer: "edit", item: repo })).toEqual({});
});

test("the whole list is read for what the service cannot give", () => {
  const views = [{}, { name: "1" }, { order: "name" }, { since: "2026-01-01" }, { dates: "yes" }];
  expect(views.map(matcher)).toEqual(views.map(() => undefined));
  for (const view of [{ contains: "1" }, { deprecated: "no" }, { by: "digest" }, { order: "version" }])
    expect(matcher(view), JSON.stringify(view)).toBeTypeOf("function");
});

test("kinds of names are hidden as the service hides them, unless a tag has to be found among them", () => {
  const kindsOf = (view: ListView) => ["dates", "epochs", "referrers"].filter((kind) => shows(view, kind));
  expect(kindsOf({})).toEqual([]);
  expect(kindsOf({ epochs: "yes" })).toEqual(["epochs"]);
  expect(kindsOf({ contains: "1" })).toEqual([]);
  // A filter counts among the tags that the list counts without it.
  expect(kindsOf({ deprecated: "yes" })).toEqual([]);
  expect(kindsOf({ deprecated: "no", referrers: "yes" })).toEqual(["referrers"]);
  expect(kindsOf({ name: "1-r0" })).toEqual(["dates", "epochs", "referrers"]);
  expect(asked({ repo, digest: "sha256:0" })).toMatchObject({
    "uidp.children_of": repo.replace("_", "/"),
    digest: "sha256:0",
    includeDates: true,
    includeEpochs: true,
    includeReferrers: true,
  });
  expect(asked({ since: "2026-08-11" })).toEqual({
    updatedSince: "2026-08-11T00:00:00Z",
    order_by: "updated_at desc",
  });
});

const TAGS = ["1.27", "1.27-dev", "1.27-r3", "latest-20260811", "sha256-ab-r1", "1.27-R3", "2-19991231"];
const kept = (view: ListView, deprecated?: boolean) =>
  TAGS.filter((name) =>
    matcher(view)?.({ uid: name, name, ...(deprecated !== undefined && { deprecated }) }),
  );

test("a part of a name is looked for among the kinds that are shown", () => {
  expect(kept({ contains: "27" })).toEqual(["1.27", "1.27-dev", "1.27-R3"]);
  expect(kept({ contains: "27", epochs: "yes" })).toEqual(["1.27", "1.27-dev", "1.27-r3", "1.27-R3"]);
});

test("deprecated tags include builds, dates and signatures only when they are shown", () => {
  const listed = ["1.27", "1.27-dev", "1.27-R3", "2-19991231"];
  expect(kept({ deprecated: "yes" }, true)).toEqual(listed);
  expect(kept({ deprecated: "yes" }, false)).toEqual([]);
  // A missing flag counts as false.
  expect(kept({ deprecated: "no" })).toEqual(listed);
  expect(kept({ deprecated: "yes", dates: "yes", epochs: "yes" }, true)).toEqual(
    TAGS.filter((name) => !name.startsWith("sha256")),
  );
  expect(kept({ deprecated: "yes", dates: "yes", epochs: "yes", referrers: "yes" }, true)).toEqual(TAGS);
});

test("filters are said in words, and so is how the rows of a scan stand", () => {
  expect(
    tagScreens.resolve(EVERYWHERE, {
      name: "1",
      digest: "sha256:0",
      contains: "x",
      deprecated: "no",
      since: "2026-01-01",
    }).words,
  ).toEqual([
    'digest is exactly "sha256:0"',
    'name is exactly "1"',
    'name contains "x"',
    "state is active",
    "updated since 2026-01-01",
  ]);
  expect(tagScreens.resolve(EVERYWHERE, { order: "version", by: "digest", dates: "yes" }).words).toEqual([]);
  expect([{}, { contains: "x", deprecated: "yes" }, { deprecated: "yes" }].map(calledOf)).toEqual([
    "",
    "found",
    "deprecated",
  ]);
  expect(arrangedOf({ by: "digest", order: "version desc" })).toBe("grouped by digest, ordered by version");
  expect(arrangedOf({ by: "digest", order: "name" })).toBe("grouped by digest");
  expect(arrangedOf({ order: "name" })).toBeUndefined();
});

test.each([
  ["latest", { deprecated: true }, true],
  ["1.27", {}, true],
  ["1.27", { deprecated: true }, false],
  ["1.26-r3", {}, false],
  ["1.25-r1", {}, true],
  ["1.27-20260101", {}, false],
  ["sha256-abc.sig", {}, false],
])("whether %s is pulled by its name", (name, tag, expected) => {
  expect(isInProduction({ name, ...tag }, { activeTags: ["1.25-r1"] })).toBe(expected);
});
