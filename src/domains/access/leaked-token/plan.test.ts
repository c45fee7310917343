import { expect, test } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";
import type { EligibleGrant } from "platform-contract/iam/eligible-grants";
import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import { planOf, type Cut } from "./plan";
import type { StandingSurvivor, Whose } from "./read";

const ORG = "a".repeat(40);
const CI = `${ORG}/${"c".repeat(16)}`;
const PERSON = "d".repeat(40);

const found = (collection: string, more: Partial<StandingSurvivor> = {}): StandingSurvivor => ({
  collection,
  uid: `${ORG}/${collection}`,
  name: collection,
  change: "created",
  changes: [],
  identityUid: undefined,
  roleUid: undefined,
  entry: { uid: "e", createTime: "" } as AuditEntry,
  lastTime: "",
  sure: true,
  via: undefined,
  unnamed: 0,
  standing: "there",
  record: {},
  ...more,
});
const whose = (uid: string): Whose => ({
  uid,
  name: "ci",
  by: "token",
  record: { uid, name: "ci" } as Identity,
});
const binding = { uid: `${ORG}/own`, identityUid: CI, roleUid: "r" } as RoleBinding;
const grant = { uid: `${ORG}/switch`, identityUid: CI, roleUid: "r" } as EligibleGrant;

const plan = (survivors: readonly StandingSurvivor[], cut: Cut = "roles", uid = CI) =>
  planOf({ whose: [whose(uid)], bindings: [binding], eligible: [grant], survivors }, { cut });
const ids = (survivors: readonly StandingSurvivor[], cut?: Cut, uid?: string) =>
  plan(survivors, cut, uid).lines.map(({ id }) => id.replace(`${ORG}/`, ""));

const EACH = [
  "machineOwners",
  "subscriptions",
  "roles",
  "accountAssociations",
  "groupInvites",
  "identityProviders",
  "externalGroupRoleMappings",
  "scimTokens",
  "roleBindings",
  "eligibleGrants",
  "identities",
];

test("first the token, then who could undo it, then the ways in from outside", () => {
  const changed = found("identities", {
    change: "changed",
    uid: `${ORG}/rule`,
    changes: [{ field: "claimMatch.subject", before: '"old"', after: '"new"' }],
    record: { claimMatch: { issuer: "https://i.example", subject: "new" } },
  });
  const survivors = EACH.map((one) => found(one, one === "machineOwners" ? { change: "changed" } : {}));
  expect(ids([...survivors, changed])).toEqual([
    "eligibleGrants switch",
    "roleBindings own",
    "identities rule",
    "identities identities",
    "eligibleGrants eligibleGrants",
    "roleBindings roleBindings",
    "scimTokens scimTokens",
    "externalGroupRoleMappings externalGroupRoleMappings",
    "identityProviders identityProviders",
    "groupInvites groupInvites",
    "accountAssociations accountAssociations",
    "roles roles",
    "subscriptions subscriptions",
    "machineOwners machineOwners",
  ]);
});

test("an identity is deleted in place of its roles, a person never is", () => {
  expect(ids([], "identity")).toEqual(["eligibleGrants switch", `identities ${"c".repeat(16)}`]);
  expect(ids([], "identity", PERSON)).toEqual(["eligibleGrants switch", "roleBindings own"]);
});

test("what it gave itself is in the plan once", () => {
  const own = found("roleBindings", { uid: binding.uid });
  expect(ids([own])).toEqual(["eligibleGrants switch", "roleBindings own"]);
});

test("a rule gets back what it was, by the smallest change", () => {
  const record = { claimMatch: { issuer: "https://i.example", subject: "new" } };
  const changes = [{ field: "claimMatch.subject", before: '"old"', after: '"new"' }];
  const { lines } = plan([found("identities", { change: "changed", changes, record })]);
  expect(lines.at(-1)?.item).toMatchObject({
    mask: ["claimMatch.subject"],
    before: record,
    body: { claimMatch: { subject: "old" } },
  });
});

test("an owner is handed back, or taken away where there was none", () => {
  const owner = (before?: string) =>
    plan([
      found("machineOwners", {
        change: "changed",
        changes: [{ field: "ownerUid", ...(before !== undefined && { before }), after: '"me"' }],
      }),
    ]).lines.at(-1);
  expect(owner('"x"')).toMatchObject({ title: "Hand back the owner of machineOwners", item: { owner: "x" } });
  expect(owner()).toMatchObject({ title: "Take away the owner of machineOwners", item: { owner: "" } });
});

test("what somebody else changed since waits for a choice, and undo gives back only the identity's own roles", () => {
  const { lines } = plan([found("groupInvites", { standing: "changed" }), found("roleBindings")]);
  expect(lines.map(({ chosen }) => chosen)).toEqual([true, true, true, false]);
  expect(lines.filter(({ item }) => "again" in item && item.again).map(({ uid }) => uid)).toEqual([
    binding.uid,
  ]);
});

test.each([
  ["hidden", {}, /hides it: whether it is still there is unknown/],
  ["unknown", {}, /couldn't be read: whether/],
  ["changed", { change: "changed" }, /Somebody else changed it/],
  ["there", { change: "changed", changes: [{ field: "oidc.clientSecret", hidden: true }] }, /A secret/],
  ["there", { change: "changed", changes: [{ field: "x", before: '"a', cut: true }] }, /only the beginning/],
] as const)("what is %s and %j is for a person to do", (standing, more, why) => {
  const { lines, byHand } = plan([
    found("identityProviders", { standing, ...more } as Partial<StandingSurvivor>),
  ]);
  expect(lines).toHaveLength(2);
  expect(byHand.map((one) => one.why)).toEqual([expect.stringMatching(why)]);
});

test.each(["gone", "ended"] as const)("what is %s needs nothing", (standing) => {
  const { lines, byHand } = plan([found("groupInvites", { standing })]);
  expect([lines.length, byHand]).toEqual([2, []]);
});

test("the user's own roles come last and are left out: the other steps need them", () => {
  const mine: RoleBinding = { uid: `${ORG}/mine`, identityUid: PERSON, roleUid: "r" };
  const facts = { whose: [whose(PERSON)], bindings: [mine], eligible: [], survivors: [found("identities")] };
  const steps = (self?: string) =>
    planOf(facts, { cut: "roles", self }).lines.map(({ uid, chosen }) => [uid, chosen]);
  expect(steps(PERSON)).toEqual([
    [`${ORG}/identities`, true],
    [`${ORG}/mine`, false],
  ]);
  expect(steps()).toEqual([
    [`${ORG}/mine`, true],
    [`${ORG}/identities`, true],
  ]);
});

test("no note says that a token is accepted which has ended", () => {
  const notes = (hasEnded: boolean) =>
    planOf(
      { whose: [whose(CI)], bindings: [binding], eligible: [], survivors: [] },
      { cut: "roles", hasEnded },
    )
      .lines.map(({ note }) => note)
      .join();
  expect(notes(false)).toContain("still accepted");
  expect(notes(true)).not.toContain("still accepted");
});

test("a name can't pass for another one: whoever had the token chose it", () => {
  const [line] = plan([found("identities", { name: "\u{202E}exe.power" })]).lines.filter(
    ({ uid }) => uid === `${ORG}/identities`,
  );
  expect(line?.title).toBe(String.raw`Delete identity \u{202e}exe.power`);
  expect(line?.item.name).toBe(String.raw`identity \u{202e}exe.power`);
});
