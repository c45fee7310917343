import { expect, it } from "vitest";

import { restText, scanText, type ScanFacts } from "./scan-text";

const facts: ScanFacts = {
  state: "reading",
  what: "identities",
  one: "identity",
  found: 37,
  read: 4200,
  total: 120_000,
};

it.each([
  ["while it reads", {}, "37 found in 4,200 of 120,000 read"],
  ["where nobody counts", { total: undefined }, "37 found in 4,200 read"],
  ["before anything is read", { found: 0, read: 0 }, "Reading…"],
  ["before anything is found", { found: 0, called: "deprecated" }, "4,200 of 120,000 read"],
  [
    "stopped without a find",
    { found: 0, state: "stopped" },
    "No match in the 4,200 identities read so far; still to read: 115,800",
  ],
  [
    "failed without a find, where nobody counts",
    { found: 0, state: "failed", total: undefined },
    "No match in the 4,200 identities read so far; still to read: others",
  ],
  ["done without a find", { found: 0, state: "done", read: 120_000 }, "0 of 120,000 identities"],
  ["stopped", { state: "stopped" }, "Stopped: 37 found in 4,200 of 120,000 read"],
  ["failed", { state: "failed" }, "Stopped: 37 found in 4,200 of 120,000 read"],
  ["done", { state: "done", read: 120_000 }, "37 of 120,000 identities"],
  [
    "done, and out of date",
    { state: "done", read: 119_998, outdated: true },
    "37 of 119,998 identities; the list has changed since",
  ],
  ["done with one", { state: "done", found: 1, read: 1, total: 1 }, "1 of 1 identity"],
  ["with a word for those that match", { called: "deprecated" }, "37 deprecated in 4,200 of 120,000 read"],
  [
    "done with that word",
    { called: "deprecated", state: "done", total: 4200 },
    "37 deprecated of 4,200 identities",
  ],
  [
    "done with words for the others",
    { called: "checked", others: "don't use OIDC tokens", state: "done", found: 82, read: 87, total: 87 },
    "82 identities checked; 5 don't use OIDC tokens",
  ],
  [
    "done without others",
    { called: "checked", others: "don't use OIDC tokens", state: "done", found: 87, read: 87, total: 87 },
    "87 identities checked",
  ],
  [
    "in another order",
    { called: "", arranged: "ordered by version", found: 4200 },
    "Ordered by version among 4,200 of 120,000 read",
  ],
  [
    "stopped in that order",
    { called: "", arranged: "ordered by version", state: "stopped" },
    "Stopped: ordered by version among 4,200 of 120,000 read",
  ],
  [
    "done in that order",
    { called: "", arranged: "ordered by version", state: "done", read: 120_000 },
    "120,000 identities, ordered by version",
  ],
  [
    "filtered and in another order",
    { called: "deprecated", arranged: "ordered by version" },
    "37 deprecated in 4,200 of 120,000 read, ordered by version",
  ],
] as const)("says how far a scan is %s", (_when, change, text) =>
  expect(scanText({ ...facts, ...change })).toBe(text),
);

it.each([
  [{}, "115,800 identities weren't searched."],
  [{ read: 119_999 }, "1 identity wasn't searched."],
  [{ total: undefined }, "More identities weren't searched."],
])("says what was left out: %o", (change, text) => expect(restText({ ...facts, ...change })).toBe(text));
