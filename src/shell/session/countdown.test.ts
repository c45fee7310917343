import { expect, it } from "vitest";

import { minutesAndSeconds, spokenTime } from "./countdown";

it.each([
  [120, "2:00", "2 minutes"],
  [100, "1:40", "1 minute 40 seconds"],
  [61, "1:01", "1 minute 1 second"],
  [5, "0:05", "5 seconds"],
  [0, "0:00", "a moment"],
])("says %i seconds to eyes and ears", (seconds, seen, heard) => {
  expect([minutesAndSeconds(seconds), spokenTime(seconds)]).toEqual([seen, heard]);
});
