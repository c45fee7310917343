import { expect, test } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";

import { exchangedIds, loosened, survivorsOf, type Covered } from "./survivors";

let number = 0;
const ORG = "a".repeat(40);

/** An entry of a change to one record; the next one is a second later. */
function entry(
  [kind, uid, change]: readonly [kind: string, uid: string, change?: string],
  changes: AuditEntry["changes"] = [],
  more: Partial<AuditEntry> = {},
): Covered {
  number += 1;
  return {
    sure: true,
    entry: {
      uid: `${ORG}/${number}`,
      createTime: new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString(),
      sequence: String(number),
      outcome: "OUTCOME_DONE",
      action: `${kind}.${change}`,
      record: { kind, uid, name: `${kind} ${uid}` },
      ...(change !== undefined && { change }),
      changes,
      ...more,
    } as AuditEntry,
  };
}
const field = (name: string, before?: unknown, after?: unknown) => ({
  field: name,
  ...(before !== undefined && { before: JSON.stringify(before) }),
  ...(after !== undefined && { after: JSON.stringify(after) }),
});
const summary = (covered: readonly Covered[]) =>
  survivorsOf(covered).map(({ collection, uid, change }) => `${collection} ${uid} ${change}`);

const KINDS = [
  "identities",
  "roleBindings",
  "eligibleGrants",
  "groupInvites",
  "roles",
  "identityProviders",
  "externalGroupRoleMappings",
  "subscriptions",
  "accountAssociations",
];

test.each(KINDS)("one of %s that it made survives, unless it deleted it again", (kind) => {
  const made = entry([kind, "x", "created"], [field("name", undefined, "x")]);
  expect(summary([made])).toEqual([`${kind} x created`]);
  expect(summary([made, entry([kind, "x", "deleted"])])).toEqual([]);
  // Made anew with the uid that it had.
  expect(summary([made, entry([kind, "x", "deleted"]), entry([kind, "x", "created"])])).toEqual([
    `${kind} x created`,
  ]);
});

test.each(["groups", "repos", "tags", "terms", "advisories", "guardRails", "retentionRules"])(
  "one of %s lets nobody in",
  (kind) => {
    expect(summary([entry([kind, "x", "created"])])).toEqual([]);
  },
);

test("what was there before survives as a change, if it isn't only a name", () => {
  const rule = [field("claimMatch.subject", "old", "new"), field("name", "a", "b")];
  const [changed] = survivorsOf([entry(["identities", "x", "updated"], rule)]);
  expect(changed).toMatchObject({
    change: "changed",
    changes: [field("claimMatch.subject", "old", "new")],
  });
  const harmless = [field("name", "a", "b"), field("description", "", "c")];
  expect(summary([entry(["identities", "x", "updated"], harmless)])).toEqual([]);
  expect(summary([entry(["roles", "x", "updated"], [field("capabilities", ["A"], ["A", "B"])])])).toEqual([
    "roles x changed",
  ]);
});

test("changes of one record are one, from the first value before to the last one after", () => {
  const [one] = survivorsOf([
    entry(["identities", "x", "updated"], [field("claimMatch.subject", "a", "b")]),
    entry(["identities", "x", "updated"], [field("claimMatch.issuer", "i", "j")]),
    entry(["identities", "x", "updated"], [field("claimMatch.subject", "b", "c")]),
  ]);
  expect(one?.changes).toEqual([field("claimMatch.subject", "a", "c"), field("claimMatch.issuer", "i", "j")]);
  expect(one?.lastTime).not.toBe(one?.entry.createTime);
});

test("what it put back is nothing, also where the order of a list differs not", () => {
  expect(
    summary([
      entry(["roles", "x", "updated"], [field("capabilities", ["A"], ["B"])]),
      entry(["roles", "x", "updated"], [field("capabilities", ["B"], ["A"])]),
    ]),
  ).toEqual([]);
  expect(
    summary([
      entry(["identities", "x", "updated"], [field("claimMatch.audience", undefined, "z")]),
      entry(["identities", "x", "updated"], [field("claimMatch.audience", "z")]),
    ]),
  ).toEqual([]);
});

test("a secret that changed is never taken for put back", () => {
  const secret = { field: "oidc.clientSecret", hidden: true } as const;
  const [one] = survivorsOf([entry(["identityProviders", "x", "updated"], [secret])]);
  expect(one?.changes).toEqual([secret]);
});

test("values of which the log kept the beginning are compared as they stand", () => {
  const cut = (before: string, after: string) => ({
    field: "staticKeys.issuerKeys",
    before,
    after,
    cut: true,
  });
  expect(summary([entry(["identities", "x", "updated"], [cut('"{aaa', '"{bbb')])])).toEqual([
    "identities x changed",
  ]);
});

test("an update of what it made stays something it made", () => {
  const [one] = survivorsOf([
    entry(["identities", "x", "created"], [field("staticKeys.subject", undefined, "a")]),
    entry(["identities", "x", "updated"], [field("staticKeys.subject", "a", "b")]),
  ]);
  expect(one).toMatchObject({ change: "created", changes: [field("staticKeys.subject", undefined, "b")] });
});

test("records that changed with another one count, and those that the log doesn't name are numbered", () => {
  const related = [
    { record: { kind: "roleBindings", uid: "r1", identityUid: "i", roleUid: "o" }, change: "created" },
    { record: { kind: "groupInvites", uid: "gi" }, change: "deleted" },
  ];
  const [one, ...none] = survivorsOf([
    entry(["groups", "g"], [], { related, relatedCount: 130, action: "roleBindings.batchCreate" }),
  ]);
  expect(none).toEqual([]);
  expect(one).toMatchObject({ uid: "r1", identityUid: "i", roleUid: "o", unnamed: 128 });
});

test("SCIM tokens and owners of machines are no records, and survive all the same", () => {
  const scim = (action: string) =>
    entry(["identityProviders", "p", "updated"], [field("scim.enabled", false, true)], {
      action: `identityProviders.${action}`,
    });
  expect(summary([scim("generateScimToken")])).toEqual(["scimTokens p created"]);
  expect(summary([scim("generateScimToken"), scim("regenerateScimToken")])).toEqual(["scimTokens p created"]);
  expect(summary([scim("generateScimToken"), scim("revokeScimToken")])).toEqual([]);
  const owner = (before: string | undefined, after: string) =>
    entry(["identities", "m", "updated"], [field("ownerUid", before, after)], {
      action: "machineOwners.set",
    });
  expect(summary([owner(undefined, "me")])).toEqual(["machineOwners m changed"]);
  expect(summary([owner("a", "me"), owner("me", "a")])).toEqual([]);
});

test.each(["OUTCOME_DENIED", "OUTCOME_REFUSED"] as const)("what was %s made nothing", (outcome) => {
  expect(summary([entry(["identities", "x", "created"], [], { outcome })])).toEqual([]);
});

test("the order of the entries doesn't matter, and equal times are told apart by their number", () => {
  const createTime = "2026-01-01T00:00:00.000Z";
  const made = entry(["roles", "x", "created"], [], { createTime, sequence: "9" });
  const deleted = entry(["roles", "x", "deleted"], [], { createTime, sequence: "10" });
  expect(summary([deleted, made])).toEqual([]);
});

test("one entry that perhaps another token made leaves the whole in doubt", () => {
  const made = entry(["identities", "x", "created"]);
  const updated = {
    ...entry(["identities", "x", "updated"], [field("claimMatch.subject", "a", "b")]),
    sure: false,
  };
  expect(survivorsOf([made]).map(({ sure }) => sure)).toEqual([true]);
  expect(survivorsOf([made, updated]).map(({ sure }) => sure)).toEqual([false]);
  expect(survivorsOf([{ ...made, via: "ci" }])[0]?.via).toBe("ci");
});

test("ids of exchanged tokens, and guard rails that it loosened, are found", () => {
  const exchange = entry(["identities", "x"], [field("jti", undefined, "new")], {
    action: "tokens.exchange",
  });
  expect(exchangedIds([exchange.entry, entry(["roles", "x", "created"]).entry])).toEqual(["new"]);
  const rails = ["created", "updated", "deleted"].map((change) => entry(["guardRails", "g", change]));
  expect(loosened(rails).map(({ change }) => change)).toEqual(["updated", "deleted"]);
});
