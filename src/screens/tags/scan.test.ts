import { expect, it } from "vitest";

import { matcherOf } from "./scan";
import type { TagListSearch } from "./search";

const TAGS = ["1.27", "1.27-dev", "1.27-r3", "latest-20260811", "sha256-ab-r1", "1.27-R3", "2-19991231"];

const kept = (search: TagListSearch, deprecated?: boolean) =>
  TAGS.filter((name) =>
    matcherOf(search)({ uid: name, name, ...(deprecated !== undefined && { deprecated }) }),
  );

it("looks for a part of a name among the kinds that are shown", () => {
  expect(kept({ contains: "27" })).toEqual(["1.27", "1.27-dev", "1.27-R3"]);
  expect(kept({ contains: "27", epochs: "yes" })).toEqual(["1.27", "1.27-dev", "1.27-r3", "1.27-R3"]);
});

it("counts builds and days in where the state matters, referrers when they are shown", () => {
  const all = TAGS.filter((name) => !name.startsWith("sha256"));
  expect(kept({ deprecated: "yes" }, true)).toEqual(all);
  expect(kept({ deprecated: "yes" }, false)).toEqual([]);
  // A flag that is not there is not set.
  expect(kept({ deprecated: "no" })).toEqual(all);
  expect(kept({ deprecated: "yes", referrers: "yes" }, true)).toEqual(TAGS);
});
