import { expect, test } from "vitest";

import { changedBy } from "./noted";

const UID = "a".repeat(40);

/** The description that an entry keeps of a group's change. */
function kept(description: string) {
  const row = (text: string, time: string) => ({ uid: UID, name: "a", description: text, updated_at: time });
  const rows = [[row("", "2026-01-28T12:00:00.000Z"), row(description, "2026-01-28T12:00:01.000Z")]];
  const { records } = changedBy(JSON.stringify({ on: "UPDATE", table: "groups", number: 1, rows }), {});
  return records[0]?.changes.find(({ field }) => field === "description");
}

test("a long value is cut, and never within a character", () => {
  const x = (length: number) => "x".repeat(length);
  expect(kept(x(1_998))).toEqual({ field: "description", after: `"${x(1_998)}"` });
  expect(kept(x(2_000))).toEqual({ field: "description", after: `"${x(1_999)}`, cut: true });
  // The 2,000th of what is kept would be half of this one.
  expect(kept(`${x(1_998)}😀`)).toEqual({ field: "description", after: `"${x(1_998)}`, cut: true });
});
