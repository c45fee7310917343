import { expect, test } from "vitest";

import { lastDayIn, roleIn, withAsked } from "./last-day";

test("the day and the role that a request was written with are read from it", () => {
  const asked = { role: "image.pusher v1.2", day: "2026-12-05" };
  expect(withAsked(" I need to pull. ", asked)).toBe(
    "I need to pull. Role: image.pusher v1.2. Until 2026-12-05.",
  );
  expect(withAsked("Pull", { role: "", day: asked.day })).toBe("Pull. Until 2026-12-05.");
  for (const message of ["", "I need to pull."])
    for (const role of ["", asked.role])
      for (const day of ["", asked.day]) {
        const text = withAsked(message, { role, day });
        expect([lastDayIn(text), roleIn(text)]).toEqual([day || undefined, role || undefined]);
      }
  for (const message of [
    "",
    "Until 2026-12-05. Or longer.",
    "Untilx 2026-12-05.",
    "Role: viewer. Or more",
    "Role: ",
  ]) {
    expect(lastDayIn(message)).toBeUndefined();
    expect(roleIn(message)).toBeUndefined();
  }
});
