import { expect, it } from "vitest";

import type { GroupInvite } from "platform-contract/iam/group-invites";

import { isPendingOf } from "./sent-invites";

const now = Date.parse("2026-11-30T00:00:00Z");
const ada = { uid: "a".repeat(40), email: "Ada@example.com" };
const invite = (more: Partial<GroupInvite>): GroupInvite => ({
  uid: `${"b".repeat(40)}/${"1".repeat(16)}`,
  expirationTime: "2026-12-01T00:00:00Z",
  ...more,
});

it("knows the invites that somebody sent or could still redeem", () => {
  expect(isPendingOf(invite({ createdBy: { uid: ada.uid } }), ada, now)).toBe(true);
  expect(isPendingOf(invite({ email: "ada@EXAMPLE.com" }), ada, now)).toBe(true);
  expect(isPendingOf(invite({ email: "bo@example.com" }), ada, now)).toBe(false);
  // Anyone with the link: nobody's own.
  expect(isPendingOf(invite({}), { uid: ada.uid }, now)).toBe(false);
  expect(isPendingOf(invite({ email: "" }), { uid: ada.uid, email: "" }, now)).toBe(false);
  const ended = { email: ada.email, expirationTime: "2026-11-29T00:00:00Z" };
  expect(isPendingOf(invite(ended), ada, now)).toBe(false);
});
