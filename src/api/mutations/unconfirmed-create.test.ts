import { expect, it } from "vitest";

import { isOutcome, isResend, type UnconfirmedCreate } from "./unconfirmed-create";

const parent = "a".repeat(40);
const staticKeys = { issuer: "https://x", subject: "s", issuerKeys: "{}" };
const lost: UnconfirmedCreate = {
  parent,
  body: { name: "ci", description: "", staticKeys },
  notBefore: Date.parse("2026-01-28T12:00:00Z"),
  before: new Set(),
};
const made = {
  uid: `${parent}/${"b".repeat(16)}`,
  name: "ci",
  createTime: "2026-01-28T12:00:01Z",
  staticKeys: { ...staticKeys, expirationTime: "2027-01-28T12:00:00Z" },
};

it("knows what a lost request made, also with what the service filled in or left out", () => {
  expect(isOutcome(lost, made)).toBe(true);
});

it("does not take an older or another record for it", () => {
  expect(isOutcome(lost, { ...made, createTime: "2026-01-28T11:59:59Z" })).toBe(false);
  expect(isOutcome(lost, { ...made, createTime: undefined })).toBe(false);
  expect(isOutcome(lost, { ...made, description: "another" } as typeof made)).toBe(false);
  expect(isOutcome({ ...lost, before: new Set([made.uid]) }, made)).toBe(false);
  const other = { ...made, staticKeys: { ...staticKeys, subject: "t" } };
  expect(isOutcome(lost, other)).toBe(false);
});

it("takes only the same again, in the same place, for a second try", () => {
  expect(isResend(lost, parent, { staticKeys: { ...staticKeys }, description: "", name: "ci" })).toBe(true);
  expect(isResend(lost, parent, { name: "ci-2", staticKeys })).toBe(false);
  expect(isResend(lost, "", lost.body)).toBe(false);
});
