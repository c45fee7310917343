import { expect, test } from "vitest";

import { roleBindings } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";

import { defineScreens, type ListView } from "./define";
import { EVERYWHERE } from "./scope/scope";
import { choice, contains, exact, option, searched } from "./list/filters";

const UID = "0".repeat(40);
const CHILD = "1".repeat(16);
const screens = defineScreens(roles, {
  filters: {
    name: exact("name", "Name"),
    contains: contains<Role>("Description", ({ description }) => [description]),
    kind: choice<Role>("Kind", [{ value: "custom", label: "custom" }], {
      matches:
        () =>
        ({ uid }) =>
          uid.includes("/"),
    }),
  },
  drawers: { page: ["grant"] },
});
const role = (fields: Partial<Role>): Role => ({ uid: UID, name: "reader", ...fields });

test("keeps valid search parameters and drops the rest", () => {
  const address = {
    order: "updated_at desc",
    at: "40",
    drawer: "edit",
    item: UID,
    name: "web",
    contains: "w",
    kind: "custom",
  };
  expect(screens.readList(address)).toEqual(address);
  expect(
    screens.readList({
      order: "digest",
      at: "-1",
      drawer: "grant",
      item: UID,
      name: " ",
      kind: "invalid",
      unknown: "x",
      contains: 7,
    }),
  ).toEqual({});
  expect(screens.readPage({ drawer: "grant", unknown: "x" })).toEqual({ drawer: "grant" });
  expect(screens.readPage({ drawer: "create" })).toEqual({});
});

test("drawers follow from the verbs that the resource has", () => {
  const bindings = defineScreens({ ...roleBindings, update: undefined as never }, { filters: {} });
  expect(bindings.readList({ drawer: "edit", item: UID })).toEqual({});
  expect(bindings.readList({ drawer: "delete", item: UID })).toEqual({ drawer: "delete", item: UID });
});

test("the service's filters are part of the query, the others are tests of rows", () => {
  const view = screens.readList({ name: "web", order: "created_at" });
  expect(screens.resolve(EVERYWHERE, view).matches).toBeUndefined();
  expect(screens.resolve({ group: UID, reach: "here" }, view).list.queryKey).toEqual([
    "roles",
    "list",
    { "uidp.children_of": UID, name: "web", order_by: "created_at" },
  ]);
  expect(screens.resolve(EVERYWHERE, {}).whole.queryKey[2]).toEqual({ page_size: 200, order_by: "name" });

  const passes = screens.resolve(EVERYWHERE, screens.readList({ contains: "READS", kind: "custom" })).matches;
  expect(passes?.(role({ uid: `${UID}/1`, description: "Reads" }))).toBe(true);
  expect(passes?.(role({ description: "Reads" }))).toBe(false);
  expect(passes?.(role({ uid: `${UID}/1` }))).toBe(false);
});

test("derives labels and addresses from the contract", () => {
  expect(screens.resolve(EVERYWHERE, { name: "a", kind: "custom" }).words).toEqual([
    'name is exactly "a"',
    "kind is custom",
  ]);
  expect(screens.noFilters).toEqual({ name: undefined, contains: undefined, kind: undefined });
  expect(screens.link(`${UID}/1`)).toEqual({ to: "/roles/$uid", params: { uid: `${UID}_1` } });
  expect(screens.nameOf(role({ name: "" }))).toMatch(/^0+…0+$/);
  const bindings = defineScreens(roleBindings, {
    filters: {},
    nameOf: ({ role: held, identity }) => `${held?.name} for ${identity?.name}`,
  });
  expect([bindings.resource.plural, bindings.listPath]).toEqual(["role bindings", "/role-bindings"]);
  const binding = { uid: UID, role: { uid: UID, name: "viewer" }, identity: { uid: UID, name: "ci" } };
  expect(bindings.nameOf(binding)).toBe("viewer for ci");
});

test("a list can be that of one record, in an order of this console's own, and filters can depend on each other", () => {
  const held = defineScreens(roles, {
    filters: {
      name: exact("name", "Name"),
      by: option("Group by image", "image", { matches: () => () => true }),
    },
    within: "holder",
    scan: { orders: ["version"], by: "name", belongs: () => (row) => row.name !== "hidden" },
    query: ({ name }) => (name === undefined ? {} : { all: true }),
  });
  const address = { holder: `${UID}_${CHILD}`, order: "version desc", by: "image", name: "web" };
  const view = held.readList(address);
  expect(view).toEqual(address);
  expect(held.readList({ holder: "web", by: "name" })).toEqual({});
  const resolve = (to: ListView) => held.resolve(EVERYWHERE, to);
  expect(resolve(view).holder).toBe(`${UID}/${CHILD}`);
  const asked = { "uidp.children_of": `${UID}/${CHILD}`, name: "web", all: true };
  expect(held.resolve({ group: UID, reach: "below" }, view).whole.queryKey[2]).toEqual({
    ...asked,
    page_size: 200,
    order_by: "name",
  });

  expect(resolve({}).matches).toBeUndefined();
  for (const scanned of [{ by: "image" }, { order: "version" }]) {
    expect(resolve(scanned).matches?.(role({ name: "shown" }))).toBe(true);
    expect(resolve(scanned).matches?.(role({ name: "hidden" }))).toBe(false);
  }
  // The arrangement of rows is neither a filter nor another view.
  expect([resolve(view).words, held.noFilters]).toEqual([['name is exactly "web"'], { name: undefined }]);
  expect(resolve(view).key).toBe(resolve({ holder: `${UID}_${CHILD}`, name: "web", at: "7" }).key);
  expect(resolve(view).key).not.toBe(resolve({ name: "web" }).key);
});

test("offers a search text to the filters that accept it, in order", () => {
  const found = defineScreens(roles, {
    filters: {
      digest: searched(exact("digest", "Digest"), (text) => text.startsWith("sha256:")),
      name: searched(exact("name", "Name")),
      contains: searched(contains<Role>("Name or description", ({ name }) => [name])),
      kind: exact("kind", "Kind"),
    },
  });
  const none = { digest: undefined, name: undefined, contains: undefined };
  expect(found.search.change("web")).toEqual({ ...none, name: "web" });
  expect(found.search.change("web", "name")).toEqual({ ...none, contains: "web" });
  expect(found.search.change("web", "contains")).toBeUndefined();
  expect(found.search.change("sha256:1")).toEqual({ ...none, digest: "sha256:1" });
  expect(found.search.change(undefined)).toEqual(none);
  expect(found.search.shownIn({ kind: "x", contains: "a", name: "b" })).toBe("name");
  expect(found.search.shownIn({ kind: "x" })).toBeUndefined();
  expect([found.search.label, screens.search.label]).toEqual(["Name or description", undefined]);
});
