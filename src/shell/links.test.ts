import { expect, it } from "vitest";

import { isScopedScreen } from "./links";

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
