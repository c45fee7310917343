import { expect, it } from "vitest";

import { isCreatedBy, isResend, type UnconfirmedCreate } from "./unconfirmed-create";

const parent = "a".repeat(40);
const staticKeys = { issuer: "https://x", subject: "s", issuerKeys: "{}" };
const lost: UnconfirmedCreate = {
  key: "a key",
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

it("recognizes what a create made, whatever the service filled in or left out", () => {
  expect(isCreatedBy(lost, made)).toBe(true);
});

it("does not mistake an older or another record for it", () => {
  expect(isCreatedBy(lost, { ...made, createTime: "2026-01-28T11:59:59Z" })).toBe(false);
  expect(isCreatedBy(lost, { ...made, createTime: undefined })).toBe(false);
  expect(isCreatedBy(lost, { ...made, description: "another" } as typeof made)).toBe(false);
  expect(isCreatedBy({ ...lost, before: new Set([made.uid]) }, made)).toBe(false);
  const other = { ...made, staticKeys: { ...staticKeys, subject: "t" } };
  expect(isCreatedBy(lost, other)).toBe(false);
});

it("takes only the same body under the same parent for a resend", () => {
  expect(
    isResend(lost, { parent, body: { staticKeys: { ...staticKeys }, description: "", name: "ci" } }),
  ).toBe(true);
  expect(isResend(lost, { parent, body: { name: "ci-2", staticKeys } })).toBe(false);
  expect(isResend(lost, { parent: "", body: lost.body })).toBe(false);
  expect(isResend(lost, { ...lost, justification: "other words" })).toBe(false);
});
