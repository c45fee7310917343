import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { filesOver, roomsOver, roomSizes, roomTable } from "./room-sizes.mjs";

const root = join(import.meta.dirname, "..");

test("no room is larger than it may be", () => {
  expect(roomsOver(roomSizes(root))).toEqual([]);
});

test("no file of production code is longer than 300 lines, data aside", () => {
  expect(filesOver(root)).toEqual([]);
});

test("people are part of the room of identities, and a room without a limit of its own has the common one", () => {
  const sizes = {
    groups: { lines: 801, files: 9 },
    widgets: { lines: 901, files: 9 },
    tags: { lines: 1600, files: 9 },
  };
  expect(roomsOver(sizes)).toEqual([
    "groups has 801 lines; the limit is 800",
    "widgets has 901 lines; the limit is 900",
  ]);
  expect(Object.keys(roomSizes(root))).not.toContain("people");
});

test("the table has the figures from before beside those of now", () => {
  const [, , row, other] = roomTable({
    groups: { lines: 790, files: 16 },
    widgets: { lines: 400, files: 8 },
  }).split("\n");
  expect(row).toBe("| groups | 1,188 | 24 | 790 | 16 | 800 |");
  expect(other).toBe("| widgets |  |  | 400 | 8 | 900 |");
  expect(readFileSync(join(root, "docs/architecture.md"), "utf8")).toContain("<!-- rooms: begin -->");
});
