import { expect, it } from "vitest";

import { kinds } from "platform-contract/kinds";

import { holderParameter, isScopedScreen, linkOut } from "./links";

const screen = (routeId: string, params = {}) => [
  { routeId: "__root__", params: {} },
  { routeId, params },
];

it("keeps lists and the overview when another group is chosen, and leaves what is about one record", () => {
  expect(isScopedScreen(screen("/"))).toBe(true);
  expect(isScopedScreen(screen("/identities/"))).toBe(true);
  expect(isScopedScreen(screen("/identities/$uid", { uid: "a" }))).toBe(false);
  expect(isScopedScreen([{ routeId: "__root__", params: {} }])).toBe(false);
  expect(isScopedScreen([])).toBe(false);
});

it("leaves every parameter of the scope behind on the way out of it", () => {
  const holders = kinds.flatMap(({ collection }) => holderParameter(collection) ?? []);
  const names = ["group", "at", "drawer", ...holders];
  const kept = linkOut({ order: "name", ...Object.fromEntries(names.map((name) => [name, "x"])) });
  expect(JSON.parse(JSON.stringify(kept))).toEqual({ order: "name" });
});
