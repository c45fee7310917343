import { expect, it } from "vitest";

import { timesOf } from "./times-of";

it("writes the times of a record as a person reads them", () => {
  const record = {
    uid: "u",
    createTime: "2026-01-28T12:54:21.189Z",
    updateTime: "2026-01-29T00:00:00Z",
    lastSeenTime: "0001-01-01T00:00:00Z",
    expirationTime: "2027-01-01T00:00:00Z",
    overTime: 7,
  };
  expect(timesOf(record)).toBe(
    "Created: 2026-01-28 12:54:21 UTC\nUpdated: 2026-01-29 00:00:00 UTC\nExpiration: 2027-01-01 00:00:00 UTC",
  );
  expect(timesOf({ uid: "u" })).toBe("");
});
