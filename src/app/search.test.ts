import { expect, it } from "vitest";

import { parseSearch, stringifySearch } from "./search";

it("reads every value as text", () => {
  expect(parseSearch("?name=1e5&order=name+desc&flag=true&json=%7B%22a%22:1%7D&empty=")).toEqual({
    name: "1e5",
    order: "name desc",
    flag: "true",
    json: '{"a":1}',
    empty: "",
  });
  expect(parseSearch("?a=1&a=2")).toEqual({ a: "1" });
});

it("writes spaces, commas and underscores so that they can be read, and nothing that is not there", () => {
  const search = { group: "ab_cd", order: "name desc", kinds: "x,y", at: 120, none: undefined, empty: "" };
  expect(stringifySearch(search)).toBe("?group=ab_cd&order=name+desc&kinds=x,y&at=120");
  expect(stringifySearch({})).toBe("");
});

it.each(["1e5", "a b", "a+b", "a&b=c", "é😀", "100%", '"quoted"', "null", "a,b", "_"])("keeps %j", (name) => {
  expect(parseSearch(stringifySearch({ name }))).toEqual({ name });
});
