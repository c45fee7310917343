import { expect, test } from "vitest";

import { replacedBy, replacementText } from "~/api/bulk/migration-plan";
import type { Identity } from "~/contract/iam/identities";
import type { RoleBinding } from "~/contract/iam/role-bindings";

import type { Mapping } from "./mapping";
import { pairsOf } from "./pairs";
import { plan, targetsOf, type Edits } from "./plan";
import type { Place } from "./read";

const [ORG, OLD, MADE] = [
  "a".repeat(40),
  `${"a".repeat(40)}/${"b".repeat(16)}`,
  `${"a".repeat(40)}/${"c".repeat(16)}`,
];
const MOVED: Mapping = {
  move: "issuer",
  issuer: "https://old.example",
  newIssuer: "https://new.example",
  owner: "",
  newOwner: "",
  suffix: "-new",
};

const identity = (uid: string, issuer: string, more: Partial<Identity> = {}): Identity => ({
  uid,
  name: "ci",
  claimMatch: { issuer, subject: "job" },
  createTime: "2026-11-01T00:00:00Z",
  updateTime: "2026-11-01T00:00:00Z",
  ...more,
});
const binding = (identityUid: string): RoleBinding =>
  ({
    uid: `${ORG}/${identityUid.slice(-16)}`,
    identityUid,
    roleUid: "d".repeat(40),
    role: { uid: "d".repeat(40), name: "editor" },
    group: { uid: ORG, name: "acme" },
  }) as RoleBinding;

const placeOf = (identities: readonly Identity[], bindings: readonly RoleBinding[] = []): Place => ({
  identities,
  bindings: new Map(identities.map(({ uid }) => [uid, bindings.filter((each) => each.identityUid === uid)])),
  capabilities: new Map([["d".repeat(40), ["repo.list"]]]),
});

const old = identity(OLD, "https://old.example", { description: "Signs images." });
const made = (more: Partial<Identity> = {}) =>
  identity(MADE, "https://new.example", {
    name: "ci-new",
    description: replacementText(OLD, "Signs images."),
    ...more,
  });
const allowed = () => undefined;

test("the description of a new identity says which one it replaces, however often it moves", () => {
  expect(replacementText(OLD, "Signs images.")).toBe(`Signs images. Replaces identity ${OLD}.`);
  expect(replacedBy(replacementText(MADE, replacementText(OLD, "Signs images.")))).toBe(MADE);
  expect(replacementText(MADE, replacementText(OLD))).toBe(`Replaces identity ${MADE}.`);
  expect(replacedBy("Replaces identity cards.")).toBeUndefined();
  expect(replacedBy(undefined)).toBeUndefined();
});

test("plans a new identity beside each with the issuer, with its roles", () => {
  const rows = plan(
    placeOf([old, identity(MADE, "https://third.example")], [binding(OLD)]),
    MOVED,
    {},
    allowed,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    body: {
      name: "ci-new",
      description: `Signs images. Replaces identity ${OLD}.`,
      claimMatch: { issuer: "https://new.example", subject: "job" },
    },
    problems: [],
    roles: ["editor at acme"],
    there: undefined,
  });
  expect(targetsOf(rows)).toMatchObject([{ uid: OLD, name: "ci", parent: ORG, updateTime: old.updateTime }]);
});

test("what the user changed counts, and what was left out is not sent", () => {
  const edits = { [OLD]: { name: "release", subject: "job-2" } };
  const [row] = plan(placeOf([old]), MOVED, edits, allowed);
  expect(row?.body).toMatchObject({ name: "release", claimMatch: { subject: "job-2" } });
  expect(targetsOf(plan(placeOf([old]), MOVED, { [OLD]: { left: true } }, allowed))).toEqual([]);
});

test("names what the contract finds wrong with a new identity", () => {
  const [row] = plan(placeOf([old]), { ...MOVED, newIssuer: "nowhere", suffix: "-NEW" }, {}, allowed);
  expect(row?.problems.map((problem) => problem.split(":")[0])).toEqual(["Name", "Claim match"]);
  expect(targetsOf(row ? [row] : [])).toEqual([]);
});

test("a rule that is there already is completed if it replaces the identity, and a problem otherwise", () => {
  const both = [old, made({ name: "renamed" })];
  const lacking = plan(placeOf(both, [binding(OLD)]), MOVED, {}, allowed);
  expect(lacking).toMatchObject([{ there: MADE, lacking: 1, problems: [], body: { name: "renamed" } }]);
  expect(targetsOf(lacking)).toHaveLength(1);
  const complete = plan(placeOf(both, [binding(OLD), binding(MADE)]), MOVED, {}, allowed);
  expect(complete).toMatchObject([{ there: MADE, lacking: 0, problems: [] }]);
  expect(targetsOf(complete)).toEqual([]);
  const [taken] = plan(placeOf([old, made({ name: "other", description: "" })]), MOVED, {}, allowed);
  expect(taken).toMatchObject({ there: undefined, problems: ["other already has this rule"] });
});

test("two identities can't get the same rule, unless one is left out", () => {
  const twin = identity(`${ORG}/${"e".repeat(16)}`, "https://old.example", { name: "twin" });
  const problems = (edits: Edits) =>
    plan(placeOf([old, twin]), MOVED, edits, allowed).map((row) => row.problems);
  expect(problems({})).toEqual([[], ["ci would get the same rule"]]);
  expect(problems({ [OLD]: { left: true } })).toEqual([[], []]);
});

test("says which role the user can't grant, and sends nothing of that identity", () => {
  const refusal = ({ access }: { access: { needs: readonly string[] } }) =>
    access.needs.includes("repo.list") ? "You need permission to list repos here" : undefined;
  const rows = plan(placeOf([old], [binding(OLD)]), MOVED, {}, refusal as never);
  expect(rows[0]?.problems).toEqual([
    "You can't grant editor at acme. You need permission to list repos here.",
  ]);
  expect(targetsOf(rows)).toEqual([]);
});

test.each([
  ["unused", made(), old],
  ["done", made({ lastSeenTime: "2026-11-20T00:00:00Z" }), old],
  [
    "both used",
    made({ lastSeenTime: "2026-11-20T00:00:00Z" }),
    { ...old, lastSeenTime: "2026-11-19T00:00:00Z" },
  ],
])("a replacement is %s", (progress, replacement, replaced) => {
  expect(pairsOf(placeOf([replaced, replacement])).map((pair) => pair.progress)).toEqual([progress]);
});

test("a replacement without a role of the old one has fewer roles", () => {
  const used = made({ lastSeenTime: "2026-11-20T00:00:00Z" });
  const progress = (bindings: RoleBinding[]) =>
    pairsOf(placeOf([old, used], bindings)).map((pair) => pair.progress);
  expect(progress([binding(OLD)])).toEqual(["fewer roles"]);
  expect(progress([binding(OLD), binding(MADE)])).toEqual(["done"]);
});

test("pairs only identities of one group: anybody could write the description", () => {
  const elsewhere = made({ uid: `${ORG}/${"f".repeat(16)}/${"c".repeat(16)}` });
  expect(pairsOf(placeOf([old, elsewhere]))).toEqual([]);
});
