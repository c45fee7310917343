import { describe, expect, it } from "vitest";

import { countStates, type ItemState, type LedgerItem } from "~/api/bulk/items";

import { csvRows, progressText, reasonsOf } from "./words";

const item = (uid: string, state: ItemState, reason?: string): LedgerItem => ({
  uid,
  name: uid,
  state,
  reason,
});

describe("progressText", () => {
  it("says what happened, and only that", () => {
    const states: ItemState[] = ["done", "done", "gone", "refused", "refused", "waiting", "queued"];
    const counts = countStates(states.map((state, index) => item(String(index), state)));
    expect(progressText(counts, "2 s")).toBe(
      "3 of 7 deleted, 1 of them already gone, 2 refused, 1 waiting 2 s",
    );
    expect(progressText(countStates([item("a", "queued")]))).toBe("0 of 1 deleted");
  });
});

describe("reasonsOf", () => {
  it("counts the same refusal of several items once", () => {
    const items = [
      item("o/1", "refused", "CAP is needed at o/1"),
      item("o/2", "refused", "CAP is needed at o/2"),
      item("o/3", "failed", "Broken."),
      item("o/4", "done"),
    ];
    expect(reasonsOf(items)).toEqual([
      { reason: "CAP is needed at …", count: 2 },
      { reason: "Broken.", count: 1 },
    ]);
  });
});

it("writes outcomes as a person reads them", () => {
  expect(csvRows([item("o/1", "gone")])).toEqual([
    ["name", "uid", "outcome", "reason", "request id"],
    ["o/1", "o/1", "Already gone", undefined, undefined],
  ]);
});
