import { expect, it } from "vitest";

import type { Identity } from "~/contract/iam/identities";

import { isOutcome, isResend, type LostCreate } from "./-lost-create";

const parent = "a".repeat(40);
const staticKeys = { issuer: "https://x", subject: "s", issuerKeys: "{}" };
const since = Date.parse("2026-01-28T12:00:00Z");
const lost: LostCreate = { parent, body: { name: "ci", staticKeys }, since };
const made: Identity = {
  uid: `${parent}/${"b".repeat(16)}`,
  name: "ci",
  createTime: "2026-01-28T12:00:01Z",
  staticKeys: { ...staticKeys, expirationTime: "2027-01-28T12:00:00Z" },
};

it("knows what a lost request made, also with what the service filled in", () => {
  expect(isOutcome(lost, made)).toBe(true);
  expect(isOutcome(lost, { ...made, createTime: "2026-01-27T12:00:00Z" })).toBe(false);
  expect(isOutcome(lost, { ...made, staticKeys: { ...staticKeys, subject: "t" } })).toBe(false);
  expect(isOutcome(lost, { uid: made.uid, name: "ci", createTime: "2026-01-28T12:00:01Z" })).toBe(false);
});

it("takes only the same again for a second try", () => {
  expect(isResend(lost, parent, { name: "ci", staticKeys: { ...staticKeys } })).toBe(true);
  expect(isResend(lost, parent, { name: "ci-2", staticKeys })).toBe(false);
  expect(isResend(lost, "b".repeat(40), lost.body)).toBe(false);
  expect(isResend(undefined, parent, lost.body)).toBe(false);
});
