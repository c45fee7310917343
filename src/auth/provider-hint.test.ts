import { expect, test } from "vitest";

import { takeProvider } from "./provider-hint";

test.each([
  ["/", { path: "/" }],
  ["/?provider=a_b", { path: "/", provider: "a_b" }],
  ["/roles?order=name&provider=a_b&group=c", { path: "/roles?order=name&group=c", provider: "a_b" }],
  ["/roles?order=name%20desc", { path: "/roles?order=name%20desc" }],
])("%s", (link, taken) => {
  expect(takeProvider(link)).toEqual(taken);
});
