import { expect, it } from "vitest";

import { versionsBeginning } from "./tags-here";

it("finds the versions that a shorter one begins, and how many tags hold each", () => {
  const tag = (...versions: string[]) => ({ uid: "t", packages: versions.map((version) => ({ version })) });
  const found = [
    tag("2.41.3-r2", "2.41.3-r2"),
    tag("2.41.0-r0", "2.410-r0"),
    tag("2.41.0-r0", "2.41-r1"),
    tag("12.41.0-r0"),
  ];
  expect(versionsBeginning("2.41", found)).toEqual([
    ["2.41.0-r0", 2],
    ["2.41.3-r2", 1],
  ]);
  expect(versionsBeginning("2.41.0", found)).toEqual([]);
});
