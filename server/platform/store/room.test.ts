import { expect, test } from "vitest";

import { lacking, ROOM, roomFrom } from "./room";

test.each([
  ["room and inodes", { bavail: 100_000, bsize: 4_096, files: 9_000, ffree: 256 }, undefined],
  ["no limit of inodes", { bavail: 100_000, bsize: 4_096, files: 0, ffree: 0 }, undefined],
  ["no inodes", { bavail: 100_000, bsize: 4_096, files: 9_000, ffree: 0 }, "0 inodes left; it needs 256"],
  [
    "few inodes",
    { bavail: 100_000, bsize: 4_096, files: 9_000, ffree: 255 },
    "255 inodes left; it needs 256",
  ],
  ["no room", { bavail: 1_000, bsize: 4_096, files: 9_000, ffree: 256 }, "3 MB left; it needs 48 MB"],
])("what a disk with %s lacks", (_what, facts, missing) => {
  expect(lacking(roomFrom(facts), ROOM, "it")).toBe(missing);
});
