import { describe, expect, it } from "vitest";

import type { BulkItem } from "~/api/bulk/bulk-job";
import { countStates, type ItemState } from "~/api/bulk/outcome";

import { csvRows, progressText, reasonsOf, titleOf } from "./words";

const DELETION = { doing: "Deleting", done: "Deleted", one: "thing", many: "things" };

const item = (uid: string, state: ItemState, reason?: string): BulkItem => ({
  uid,
  name: uid,
  state,
  reason,
});

describe("progressText", () => {
  it("says what happened, and only that", () => {
    const states: ItemState[] = ["done", "done", "done", "failed", "failed", "sending", "queued"];
    const counts = countStates(states.map((state, index) => item(String(index), state)));
    expect(progressText(counts, DELETION)).toBe("3 of 7 deleted, 2 failed");
    expect(progressText(countStates([item("a", "queued")]), DELETION)).toBe("0 of 1 deleted");
  });
});

it.each([
  ["running", ["done", "queued"], "Deleting 2 things"],
  ["paused", ["done", "queued"], "Deleting 2 things (paused)"],
  ["finished", ["done", "failed"], "Deleted 1 of 2 things"],
  ["finished", ["done"], "Deleted 1 thing"],
] as const)("names a %s job with items %s", (status, states, title) => {
  const items = states.map((state, index) => item(String(index), state));
  expect(titleOf(DELETION, { status, items, counts: countStates(items) })).toBe(title);
});

describe("reasonsOf", () => {
  it("counts the same refusal of several items once", () => {
    const items = [
      item("o/1", "failed", "CAP is needed at o/1"),
      item("o/2", "failed", "CAP is needed at o/2"),
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
  expect(csvRows([item("o/1", "done", "It was already deleted.")], DELETION)).toEqual([
    ["name", "uid", "outcome", "time", "reason", "request id"],
    ["o/1", "o/1", "Deleted", "", "It was already deleted.", ""],
  ]);
});

it("writes the ID of what was created again in a column of its own", () => {
  const [head, row] = csvRows([{ ...item("o/1", "done"), newUid: "o/2" }], DELETION);
  expect(head).toEqual(["name", "uid", "new uid", "outcome", "time", "reason", "request id"]);
  expect(row).toEqual(["o/1", "o/1", "o/2", "Deleted", "", "", ""]);
});

it("writes who did it and what it was about, where a job knows", () => {
  const facts = { identity: "Ada", removed: "role viewer", folder: "acme / team" };
  expect(csvRows([{ ...item("o/1", "done"), facts }], { ...DELETION, by: "owner@acme.example" })).toEqual([
    ["name", "uid", "identity", "removed", "folder", "outcome", "time", "by", "reason", "request id"],
    ["o/1", "o/1", "Ada", "role viewer", "acme / team", "Deleted", "", "owner@acme.example", "", ""],
  ]);
  const explained = { ...DELETION, by: "owner@acme.example", why: "Left the team" };
  expect(csvRows([{ ...item("o/1", "done"), facts }], explained)[1]?.slice(-4)).toEqual([
    "owner@acme.example",
    "Left the team",
    "",
    "",
  ]);
  const report = { ...DELETION, by: "owner@acme.example", of: "Ada" };
  expect(csvRows([{ ...item("o/1", "done"), facts }], report)[0]).toEqual(
    "name uid identity removed folder outcome by".split(" "),
  );
});
