import { expect, it } from "vitest";

import { comparePlatforms } from "./compare-table";

const of = (sizes: Readonly<Record<string, number | bigint | undefined>>) =>
  Object.entries(sizes).map(([architecture, size]) => ({ architecture, size }));

it("says what the second image has over the first, architecture by architecture", () => {
  const compared = comparePlatforms(
    of({ s390x: 5, arm64: 40_000_000, amd64: 100_000_000, "386": undefined }),
    of({ amd64: 101_250_000, arm64: 39_200_000, ppc64le: 7, "386": 8, s390x: 5n }),
  );
  expect(compared.map(({ architecture, difference }) => `${architecture}: ${difference}`)).toEqual([
    "amd64: +1.3 MB (1.3%)",
    "arm64: \u2212800 kB (2%)",
    "386: unknown",
    "ppc64le: only in the second",
    "s390x: same",
  ]);
});

it("compares sizes that no number holds exactly", () => {
  const [one] = comparePlatforms(
    of({ amd64: 9_007_199_254_740_993n }),
    of({ amd64: 9_007_199_254_740_992n }),
  );
  expect(one?.difference).toBe("\u22121 byte (0%)");
});
