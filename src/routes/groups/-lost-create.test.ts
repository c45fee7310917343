import { expect, it } from "vitest";

import { isOutcome, isResend, type LostCreate } from "./-lost-create";

const uid = "a".repeat(40);
const since = Date.parse("2026-11-20T10:00:00.000Z");
const lost: LostCreate = { parent: uid, body: { name: "runtime", description: "" }, since };

it("knows the group that a lost request made", () => {
  expect(isOutcome(lost, { uid, name: "runtime", createTime: "2026-11-20T10:00:01.000Z" })).toBe(true);
  // A service whose clock is behind.
  expect(isOutcome(lost, { uid, name: "runtime", createTime: "2026-11-20T09:58:00.000Z" })).toBe(true);
});

it("does not take an older or another group for it", () => {
  expect(isOutcome(lost, { uid, name: "runtime", createTime: "2026-11-20T09:00:00.000Z" })).toBe(false);
  expect(
    isOutcome(lost, { uid, name: "runtime", description: "Java", createTime: "2026-11-20T10:00:01.000Z" }),
  ).toBe(false);
  expect(isOutcome(lost, { uid, name: "runtime" })).toBe(false);
});

it("is a second try only for the same group in the same place", () => {
  expect(isResend(lost, uid, { name: "runtime", description: "" })).toBe(true);
  expect(isResend(lost, "", lost.body)).toBe(false);
  expect(isResend(lost, uid, { ...lost.body, name: "runtimes" })).toBe(false);
  expect(isResend(undefined, uid, lost.body)).toBe(false);
});
