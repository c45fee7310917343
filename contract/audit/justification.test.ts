import { expect, test } from "vitest";

import { JUSTIFICATION_CHARACTERS, justificationHeader, justificationProblem } from "./justification";

test.each([
  ["Ticket 4711", "Ticket%204711"],
  ["Zoë 🚀", "Zo%C3%AB%20%F0%9F%9A%80"],
  ["100% (it's!) *", "100%25%20%28it%27s%21%29%20%2A"],
  ["two\r\nlines\u2028three", "two%20lines%20three"],
  ["a\0b\ud800c", "a%20b%20c"],
  ["  ", undefined],
  [undefined, undefined],
])("%j becomes the field value %j", (text, header) => {
  expect(justificationHeader(text)).toBe(header);
});

test("whatever is typed, the field value is one that the service takes", () => {
  for (const text of ["🚀".repeat(600), "\u0085\t\u009b x", "'\"\\;$(id)`", "x".repeat(5_000)]) {
    const header = justificationHeader(text) ?? "";
    expect(header).toMatch(/^[\w.~%-]+$/);
    expect(justificationProblem(decodeURIComponent(header))).toBeUndefined();
  }
  expect([...decodeURIComponent(justificationHeader("🚀".repeat(600)) ?? "")]).toHaveLength(
    JUSTIFICATION_CHARACTERS,
  );
});
