import { expect, it } from "vitest";

import { HELD, noteOf } from "./holdings";

const noteFor = (collection: string, group?: string) => {
  const held = HELD.find(({ kind }) => kind.collection === collection);
  return held && noteOf(held, group);
};

it("says what a count of a scope leaves out that the list of everything has", () => {
  expect(noteFor("roles", "a".repeat(40))).toBe("besides the built-in ones");
  expect(noteFor("roles")).toBeUndefined();
  expect(noteFor("repos", "a".repeat(40))).toBeUndefined();
});
