import { expect, test } from "vitest";

import { roleBindings } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";

import { defineScreens } from "./define";
import { choice, contains, exact, option, searched } from "./list/filters";

const UID = "0".repeat(40);
const CHILD = "1".repeat(16);
const EVERYWHERE = { group: undefined, reach: "below" } as const;
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
  pageDrawers: ["grant"],
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
  expect(screens.matcher(view)).toBeUndefined();
  expect(screens.list({ group: UID, reach: "here" }, view).queryKey).toEqual([
    "roles",
    "list",
    { "uidp.children_of": UID, name: "web", order_by: "created_at" },
  ]);
  expect(screens.whole(EVERYWHERE, {}).queryKey[2]).toEqual({ page_size: 200, order_by: "name" });

  const passes = screens.matcher(screens.readList({ contains: "READS", kind: "custom" }));
  expect(passes?.(role({ uid: `${UID}/1`, description: "Reads" }))).toBe(true);
  expect(passes?.(role({ description: "Reads" }))).toBe(false);
  expect(passes?.(role({ uid: `${UID}/1` }))).toBe(false);
});

test("derives labels and addresses from the contract", () => {
  expect(screens.describe({ name: "a", kind: "custom" })).toEqual(['name is exactly "a"', "kind is custom"]);
  expect(screens.noFilters).toEqual({ name: undefined, contains: undefined, kind: undefined });
  expect(screens.link(`${UID}/1`)).toEqual({ to: "/roles/$uid", params: { uid: `${UID}_1` } });
  expect(screens.nameOf(role({ name: "" }))).toMatch(/^0+…0+$/);
  const bindings = defineScreens(roleBindings, {
    filters: {},
    nameOf: ({ role: held, identity }) => `${held?.name} for ${identity?.name}`,
  });
  expect([bindings.plural, bindings.listPath]).toEqual(["role bindings", "/role-bindings"]);
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
    clientOrders: ["version"],
    scanOrder: "name",
    query: ({ name }) => (name === undefined ? {} : { all: true }),
    belongs: () => (row) => row.name !== "hidden",
  });
  const address = { holder: `${UID}_${CHILD}`, order: "version desc", by: "image", name: "web" };
  const view = held.readList(address);
  expect(view).toEqual(address);
  expect(held.readList({ holder: "web", by: "name" })).toEqual({});
  expect(held.holderOf(view)).toBe(`${UID}/${CHILD}`);
  const asked = { "uidp.children_of": `${UID}/${CHILD}`, name: "web", all: true };
  expect(held.whole({ group: UID, reach: "below" }, view).queryKey[2]).toEqual({
    ...asked,
    page_size: 200,
    order_by: "name",
  });

  expect(held.matcher({})).toBeUndefined();
  for (const scanned of [{ by: "image" }, { order: "version" }]) {
    expect(held.matcher(scanned)?.(role({ name: "shown" }))).toBe(true);
    expect(held.matcher(scanned)?.(role({ name: "hidden" }))).toBe(false);
  }
  // The arrangement of rows is neither a filter nor another view.
  expect([held.describe(view), held.noFilters]).toEqual([['name is exactly "web"'], { name: undefined }]);
  expect(held.viewKey(EVERYWHERE, view)).toBe(
    held.viewKey(EVERYWHERE, { holder: `${UID}_${CHILD}`, name: "web", at: "7" }),
  );
  expect(held.viewKey(EVERYWHERE, view)).not.toBe(held.viewKey(EVERYWHERE, { name: "web" }));
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
  expect(found.searchFor("web")).toEqual({ ...none, name: "web" });
  expect(found.searchFor("web", "name")).toEqual({ ...none, contains: "web" });
  expect(found.searchFor("web", "contains")).toBeUndefined();
  expect(found.searchFor("sha256:1")).toEqual({ ...none, digest: "sha256:1" });
  expect(found.searchFor(undefined)).toEqual(none);
  expect(found.searchedBy({ kind: "x", contains: "a", name: "b" })).toBe("name");
  expect(found.searchedBy({ kind: "x" })).toBeUndefined();
  expect([found.searchesIn, screens.searchesIn]).toEqual(["Name or description", undefined]);
});
