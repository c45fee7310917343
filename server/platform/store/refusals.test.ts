import { expect, test } from "vitest";

import { withoutRoom } from "./refusals";

test.each([
  ["53100", 'could not extend file "base/5/1": No space left on device', "has no room left to write"],
  ["42501", 'could not extend file "base/5/1": Read-only file system', "cannot be written"],
  ["42501", 'could not create file "pg_wal/x": Read-only file system', "cannot be written"],
  ["42501", 'could not open file "base/5/1": Permission denied', "cannot be written"],
  ["58030", 'could not write block 1 of relation "base/5/1": Input/output error', "cannot be written"],
])("%s of a disk (%s) is UNAVAILABLE", (code, message, what) => {
  expect(withoutRoom(Object.assign(new Error(message), { code }))).toMatchObject({
    name: "UNAVAILABLE",
    message: expect.stringContaining(what),
  });
});

test("a missing right of SQL is no matter of the disk", () => {
  const error = Object.assign(new Error("permission denied for table groups"), { code: "42501" });
  expect(withoutRoom(error)).toBe(error);
});
