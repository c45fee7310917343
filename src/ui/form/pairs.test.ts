import { expect, it } from "vitest";

import { toMap, toPairs } from "./pairs";

it("makes a map of rows and rows of a map", () => {
  expect(toMap(toPairs({ a: "1", b: "" })).map).toEqual({ a: "1", b: "" });
});

it("leaves out blank rows, keeps a value without a key, and names keys that repeat", () => {
  const { map, repeated } = toMap([
    { key: "a", value: "1" },
    { key: "", value: "" },
    { key: "", value: "typed" },
    { key: "a", value: "2" },
  ]);
  expect(map).toEqual({ a: "2", "": "typed" });
  expect([...repeated]).toEqual(["a"]);
});

it("keeps a key such as __proto__ a plain key", () => {
  const { map } = toMap([{ key: "__proto__", value: "x" }]);
  expect(Object.keys(map)).toEqual(["__proto__"]);
});
