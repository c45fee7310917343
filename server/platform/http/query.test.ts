import { expect, test } from "vitest";

import { identities } from "platform-contract/iam/identities";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";

import { queryReader } from "./query";

const ROOT = "ab".repeat(20);
const read = (search: string) => queryReader(identities.list)(search).values;
const refused = (search: string, reader = queryReader(identities.list)) => reader(search).violations;

test("values have the types of their schemas", () => {
  const search = `uidp.descendants_of=${ROOT}&uidp.in_root=true&page_size=5&order_by=created_at+desc&name=a%20b`;
  expect(read(search)).toEqual({
    "uidp.descendants_of": ROOT,
    "uidp.in_root": true,
    page_size: 5,
    order_by: "created_at desc",
    name: "a b",
  });
});

test("both spellings are one parameter, under the canonical name", () => {
  expect(read(`uidp.descendantsOf=${ROOT}&pageSize=5&relationship_type=RELATIONSHIP_TYPE_STATIC`)).toEqual({
    "uidp.descendants_of": ROOT,
    page_size: 5,
    relationshipType: "RELATIONSHIP_TYPE_STATIC",
  });
  expect(queryReader(identities.update)("update_mask=name").values).toEqual({ updateMask: "name" });
});

test("a repeatable parameter repeats its key", () => {
  expect(read(`uidp.ids=${ROOT}&uidp.ids=${"cd".repeat(20)}`)["uidp.ids"]).toHaveLength(2);
});

test("unknown keys are ignored, badly encoded ones too", () => {
  expect(read("colour=red&%zz=1&x=%zz&__proto__=1")).toEqual({});
});

test.each([
  ["page_size=5&pageSize=6", "page_size"],
  ["page_size=five", "page_size"],
  ["page_size=", "page_size"],
  ["page_size=-1", "page_size"],
  ["page_size=99999999999", "page_size"],
  ["skip=1.5", "skip"],
  ["uidp.in_root=maybe", "uidp.in_root"],
  ["uidp.childrenOf=nobody", "uidp.children_of"],
  ["uidp.ids=nobody", "uidp.ids"],
  ["name=%ff", "name"],
  ["name=%zz", "name"],
  ["name=a%00b", "name"],
  ["relationshipType=PEN_PAL", "relationshipType"],
  ["order_by=name+down", "order_by"],
  ["orderBy=capabilities", "order_by"],
])("%s is refused at %s", (search, field) => {
  expect(refused(search).map((violation) => violation.field)).toEqual([field]);
});

test("every failing parameter is named at once, once each", () => {
  const fields = refused("page_size=five&skip=-1&name=%ff&name=a&order_by=1").map(({ field }) => field);
  expect(fields.toSorted()).toEqual(["name", "order_by", "page_size", "skip"]);
});

test("a missing required parameter has its own sentence", () => {
  expect(refused("issuer=https%3A%2F%2Fissuer.example", queryReader(lookupIdentity))).toEqual([
    { field: "subject", description: "required" },
  ]);
});
