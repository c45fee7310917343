import { expect, test } from "vitest";

import { lastDayIn, withLastDay } from "./last-day";

test("the day that a request was written with is read from it", () => {
  expect(withLastDay(" I need to pull. ", "2026-12-05")).toBe("I need to pull. Until 2026-12-05.");
  for (const message of ["", "I need to pull."])
    expect(lastDayIn(withLastDay(message, "2026-12-05"))).toBe("2026-12-05");
  for (const message of ["", "I need to pull.", "Until 2026-12-05. Or longer.", "Untilx 2026-12-05."])
    expect(lastDayIn(message)).toBeUndefined();
});
