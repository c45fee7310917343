import { expect, it } from "vitest";

import { routeTree } from "~/routeTree.gen";
import { createRouter } from "@tanstack/react-router";

import { kinds, listPath } from "platform-contract/kinds";

import { linkToList } from "./list-link";

const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;
const group = uid.replace("/", "_");

it("leads to every list that has a screen, and becomes a link with the screen", () => {
  const { routesByPath } = createRouter({ routeTree, context: {} as never });
  for (const { collection } of kinds.filter(({ screens }) => screens))
    expect(linkToList(routesByPath, collection, uid, "here")).toEqual({
      to: listPath(collection),
      search: { group, reach: "here" },
    });
  expect(linkToList(routesByPath, "roleBindings", uid, "below")?.to).toBe("/role-bindings");
  expect(linkToList({ "/odd-gadgets": {} }, "oddGadgets", uid, "below")).toMatchObject({
    to: "/odd-gadgets",
  });
  expect(linkToList(routesByPath, "widgets", uid, "here")).toBeUndefined();
  expect(linkToList({ ...routesByPath, "/widgets": {} }, "widgets", uid, "below")).toEqual({
    to: "/widgets",
    search: { group },
  });
});
