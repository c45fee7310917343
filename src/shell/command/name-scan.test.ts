import { expect, it } from "vitest";

import { scanText, type ScanProgress } from "./name-scan";

const progress: ScanProgress = {
  state: "paused",
  found: [],
  read: 2034,
  at: "tags",
  kinds: ["repos", "tags"],
  unread: ["tags"],
};
const found = [{ collection: "repos", uid: "a", name: "a", place: "" }];

it.each<[Partial<ScanProgress>, string]>([
  [{}, "No match in the 2,034 records read so far; still to read: the rest of the tags"],
  [
    { found, unread: ["repos", "tags"] },
    "1 match in the 2,034 records read so far; still to read: repos and the rest of the tags",
  ],
  [{ state: "stopped" }, "No match in the 2,034 records read so far; still to read: the rest of the tags"],
  [{ state: "failed" }, "No match in the 2,034 records read so far; still to read: the rest of the tags"],
  [{ state: "reading" }, "2,034 records read, reading tags…"],
  [{ state: "reading", found }, "1 match in 2,034 records so far, reading tags…"],
  [{ state: "done", unread: [] }, "0 matches in 2,034 records: repos and tags"],
])("never says that there is none before everything is read: %j", (change, text) => {
  expect(scanText({ ...progress, ...change })).toBe(text);
});
