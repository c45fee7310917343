import { expect, it } from "vitest";

import { formatBytes, formatCount, formatQuantity } from "./numbers";
import { shorten } from "./shorten";

it("groups digits, exactly for an int64", () => {
  expect(formatCount(1204)).toBe("1,204");
  expect(formatCount(9_007_199_254_740_993n)).toBe("9,007,199,254,740,993");
  expect(formatCount(1e300)).toBe("1e+300");
});

it("counts in words", () => {
  expect([0, 1, 2n].map((count) => formatQuantity(count, "identity", "identities"))).toEqual([
    "0 identities",
    "1 identity",
    "2 identities",
  ]);
});

it("shortens in the middle, and only what is longer than that", () => {
  expect(shorten("7f3a9c12e5b64d0f9a8b7c6d5e4f3021")).toBe("7f3a9c12…5e4f3021");
  expect(shorten("1234567890123456789")).toBe("1234567890123456789");
});

it("says sizes in decimal units, also what is more than a number holds", () => {
  const sizes = [
    0,
    999,
    1000,
    999_499,
    999_500,
    999_950_000,
    34_200_000,
    340_560_000,
    1_500_000_000,
    -1_250_000,
    9_007_199_254_740_993n,
  ];
  expect(sizes.map(formatBytes)).toEqual([
    "0 bytes",
    "999 bytes",
    "1 kB",
    "999 kB",
    "1 MB",
    "1 GB",
    "34.2 MB",
    "341 MB",
    "1.5 GB",
    "-1.3 MB",
    "9,007 TB",
  ]);
});
