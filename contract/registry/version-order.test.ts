import { expect, it } from "vitest";

import { compareVersions } from "./version-order";

/** Each sorted as expected, oldest first. */
const ORDERS: readonly (readonly string[])[] = [
  ["1.2.0", "1.9", "1.10.0", "1.100"],
  ["v1.9", "v1.10"],
  ["1.9", "v1.10", "1.11"],
  [
    "1-dev",
    "1",
    "1.27-dev",
    "1.27",
    "1.27.3-dev",
    "1.27.3-r0",
    "1.27.3-r2-dev",
    "1.27.3-r2",
    "1.27.3-r10",
    "1.27.3",
  ],
  ["1.27.3-alpha", "1.27.3-beta2", "1.27.3-rc1", "1.27.3-rc10", "1.27.3"],
  ["3.9.0-rc.1", "3.9.0-rc.2", "3.9.0"],
  ["1.27", "20250101", "20260811"],
  ["2.0", "20260811", "latest-dev", "latest"],
  ["1.0.0+build.2", "1.0.0+build.10"],
  ["1.08", "1.9"],
  ["16.3-alpine3.9", "16.3-alpine3.20", "16.3"],
  ["1_2", "1_10"],
  ["1.2", "edge", "latest-20260101", "latest-20260811", "latest", "nightly"],
  ["1", `1.${"9".repeat(60)}`, `1.1${"0".repeat(60)}`],
  // The example of Semantic Versioning, section 11.
  [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
  ],
  // Written without a dash, as in Go and Python; a letter can also mean a later release.
  ["1.20", "1.21beta1", "1.21rc2", "1.21rc10", "1.21", "1.21.1"],
  ["3.14.0a6", "3.14.0b1", "3.14.0rc2", "3.14.0"],
  ["2.0.0.M3", "2.0.0.RC1", "2.0.0", "2.0.0.Final"],
  ["1.1.1", "1.1.1k", "1.1.1w", "1.1.2"],
  ["9.5", "9.6rc1", "9.6", "9.6p1", "9.6p2", "9.7"],
  // A pre-release is older than any build of the release.
  ["1.2.3_alpha", "1.2.3-beta1", "1.2.3-rc1", "1.2.3-alpine3.19", "1.2.3-r4", "1.2.3"],
  ["3.18", "3.19_alpha20231219", "3.19", "3.20", "20240101", "edge", "latest"],
  ["v1.2-rc.1", "v1.2", "v1.2.1", "v1.10"],
];

it.each(ORDERS.map((order) => [order.join(" < "), order] as const))("%s", (_text, order) => {
  expect(order.toReversed().toSorted(compareVersions)).toEqual(order);
  expect(order.toSorted(compareVersions)).toEqual(order);
});

it("orders two spellings of one version too", () => {
  for (const [lower, higher] of [
    ["1", "v1"],
    ["01", "1"],
    ["1-0", "1.0"],
    ["Latest", "latest"],
  ] as const) {
    expect(Math.sign(compareVersions(lower, higher))).toBe(-1);
    expect(Math.sign(compareVersions(higher, lower))).toBe(1);
  }
  expect(compareVersions("1.0", "1.0")).toBe(0);
});

it("is one order of all names: antisymmetric, transitive, and equal to none but itself", () => {
  let seed = 42;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const any = <T>(some: readonly T[]): T => some[random(some.length)] as T;
  const words = ["", "v", "rc", "alpha", "r", "a", "b", "dev", "alpine", "latest", "RC", "pre", "m", "x"];
  const piece = () => any([String(random(12)), `0${random(12)}`, any(words), `${any(words)}${random(12)}`]);
  const nameOf = () =>
    Array.from({ length: 1 + random(5) }, () => piece() + any([".", "-", "_", "", "+"])).join("");
  const names = [...new Set(Array.from({ length: 400 }, nameOf))];
  for (let turn = 0; turn < 20_000; turn += 1) {
    const [a, b, c] = [any(names), any(names), any(names)];
    expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
    expect(compareVersions(a, b) === 0).toBe(a === b);
    if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
      expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
  }
  const sorted = names.toSorted(compareVersions);
  const shuffled = names.map((name) => [random(1000), name] as const).toSorted(([a], [b]) => a - b);
  expect(shuffled.map(([, name]) => name).toSorted(compareVersions)).toEqual(sorted);
  expect(sorted.toSorted(compareVersions)).toEqual(sorted);
});

it("compares numbers anywhere in a name, and orders pre-releases first", () => {
  for (const frame of [
    "#",
    "v#",
    "1.#",
    "1.2.#",
    "1.2.3-r#",
    "1.2.3-rc.#",
    "1.2.3-alpine3.#",
    "1.#rc1",
    "1_#",
  ])
    for (const [less, more] of [
      [9, 10],
      [1, 2],
      [99, 100],
      [0, 1],
    ] as const)
      expect(
        compareVersions(frame.replace("#", `${less}`), frame.replace("#", `${more}`)),
        frame,
      ).toBeLessThan(0);
  for (const version of ["1", "1.2", "v1.2.3", "20240101"])
    for (const early of ["-rc1", "-rc.1", "_alpha", "-beta.2", "rc1", "b2"])
      expect(compareVersions(version + early, version), version + early).toBeLessThan(0);
});
