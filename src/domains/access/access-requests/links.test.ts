import { expect, test } from "vitest";

import { groupIn } from "./links";

const root = "a1".repeat(20);
const folder = `${root}/${"b2".repeat(8)}`;

test("a group is found in its uid and in every kind of link to it", () => {
  for (const text of [folder, ` ${folder} `, `https://c.example/x/ask/${folder.replace("/", "_")}`])
    expect(groupIn(text)).toBe(folder);
  expect(groupIn(`https://c.example/repos?group=${root}&order=name`)).toBe(root);
  for (const text of ["", "acme", root.slice(1), `${root}a`, "https://c.example/ask/x"])
    expect(groupIn(text)).toBeUndefined();
});
