import { expect, test } from "vitest";

import { roleBindings } from "~/contract/iam/role-bindings";
import { roles, type Role } from "~/contract/iam/roles";

import { defineScreens } from "./define";
import { choice, contains, exact } from "./filters";

const UID = "0".repeat(40);
const EVERYWHERE = { group: undefined, reach: "below" } as const;
const screens = defineScreens(roles, {
  filters: {
    name: exact("name", "Name is exactly"),
    contains: contains<Role>("Description contains", ({ description }) => [description]),
    kind: choice<Role>("Kind", [{ value: "custom", label: "custom" }], {
      matches:
        () =>
        ({ uid }) =>
          uid.includes("/"),
    }),
  },
  order: "name",
  pageDrawers: ["grant"],
});
const role = (fields: Partial<Role>): Role => ({ uid: UID, name: "reader", ...fields });

test("an address keeps what can be meant and loses the rest", () => {
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
  const bindings = defineScreens(
    { ...roleBindings, update: undefined as never },
    { filters: {}, order: "created_at desc" },
  );
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

test("words and addresses follow from the contract", () => {
  expect(screens.describe({ name: "a", kind: "custom" })).toEqual(['name is exactly "a"', "kind is custom"]);
  expect(screens.noFilters).toEqual({ name: undefined, contains: undefined, kind: undefined });
  expect(screens.link(`${UID}/1`)).toEqual({ to: "/roles/$uid", params: { uid: `${UID}_1` } });
  expect(screens.nameOf(role({ name: "" }))).toMatch(/^0+…0+$/);
  const bindings = defineScreens(roleBindings, {
    filters: {},
    order: "uid",
    nameOf: ({ role: held, identity }) => `${held?.name} for ${identity?.name}`,
  });
  expect([bindings.plural, bindings.listPath]).toEqual(["role bindings", "/role-bindings"]);
  const binding = { uid: UID, role: { uid: UID, name: "viewer" }, identity: { uid: UID, name: "ci" } };
  expect(bindings.nameOf(binding)).toBe("viewer for ci");
});
