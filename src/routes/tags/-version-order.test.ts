import { expect, it } from "vitest";

import { compareVersions } from "./-version-order";

/** Each as it should stand, oldest first. */
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
];

it.each(ORDERS.map((order) => [order.join(" < "), order] as const))("%s", (_text, order) => {
  expect(order.toReversed().toSorted(compareVersions)).toEqual(order);
  expect(order.toSorted(compareVersions)).toEqual(order);
});

it("has an order for any two names, the same each time", () => {
  for (const [a, b] of [
    ["v1", "1"],
    ["01", "1"],
    ["1.0", "1-0"],
    ["Latest", "latest"],
  ] as const) {
    expect(compareVersions(a, b)).not.toBe(0);
    expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)));
  }
  expect(compareVersions("1.0", "1.0")).toBe(0);
});
