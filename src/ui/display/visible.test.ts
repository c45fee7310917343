import { expect, it } from "vitest";

import { visible } from "./visible";

it("shows invisible characters, and keeps letters of any script", () => {
  expect(visible("prod\u202Elive")).toBe("prod\\u{202e}live");
  expect(visible("a\u200Bb\n\u0000\u{E0001}")).toBe("a\\u{200b}b\\u{a}\\u{0}\\u{e0001}");
  expect(visible("repo:acme/api שלום ünïcode 🚢")).toBe("repo:acme/api שלום ünïcode 🚢");
});
