import { expect, it } from "vitest";

import { paramToUid, uidToParam } from "./uid-param";

const root = "a".repeat(40);
const leaf = `${root}/${"b".repeat(16)}/${"c".repeat(16)}`;

it("writes a uid as one segment that needs no escaping, and reads it back", () => {
  const param = uidToParam(leaf);
  expect(param).toBe(`${root}_${"b".repeat(16)}_${"c".repeat(16)}`);
  expect(encodeURIComponent(param)).toBe(param);
  expect(paramToUid(param)).toBe(leaf);
  expect(paramToUid(uidToParam(root))).toBe(root);
});
