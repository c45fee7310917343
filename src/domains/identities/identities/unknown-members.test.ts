import { expect, it } from "vitest";

import type { Identity } from "platform-contract/iam/identities";

import { unknownMembers } from "./unknown-members";

const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;

it("finds what only a newer service knows, and nothing else", () => {
  const identity = {
    uid,
    name: "ci",
    createTime: "2026-01-28T12:54:21.189Z",
    lastSeenTime: "2026-01-28T12:54:21.189Z",
    claimMatch: { issuer: "https://x", subject: "s", claims: { env: "prod" }, minAge: 3 },
    labels: { team: "a" },
  } as Identity;
  expect(unknownMembers(identity)).toEqual([
    { path: "claimMatch.minAge", text: "3" },
    { path: "labels", text: '{"team":"a"}' },
  ]);
  expect(unknownMembers({ uid, name: "x", servicePrincipal: "SERVICE_PRINCIPAL_NEW" })).toEqual([]);
});
