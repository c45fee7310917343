import { expect, test } from "vitest";

import { replacedBy, replacementText } from "~/api/bulk/migration-plan";
import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import type { Edits } from "./edit";
import { pairsOf } from "./pairs";
import { plan, targetsOf as targetsOfRows, whyNothing, type Powers } from "./plan";
import type { RuleMapping } from "./proposal";
import type { MigrationPlace } from "./read";

const [ORG, OLD, MADE] = [
  "a".repeat(40),
  `${"a".repeat(40)}/${"b".repeat(16)}`,
  `${"a".repeat(40)}/${"c".repeat(16)}`,
];
const MOVED: RuleMapping = {
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

const placeOf = (identities: readonly Identity[], bindings: readonly RoleBinding[] = []): MigrationPlace => ({
  identities,
  bindings: new Map(identities.map(({ uid }) => [uid, bindings.filter((each) => each.identityUid === uid)])),
  roles: new Map([["d".repeat(40), { uid: "d".repeat(40), name: "editor", capabilities: ["repo.list"] }]]),
});

const old = identity(OLD, "https://old.example", { description: "Signs images." });
const made = (more: Partial<Identity> = {}) =>
  identity(MADE, "https://new.example", {
    name: "ci-new",
    description: replacementText(OLD, "Signs images."),
    ...more,
  });
const ABLE: Powers = { refusal: () => undefined, held: () => undefined };
const rowsOf = (place: MigrationPlace, edits: Edits = {}, { mapping = MOVED, powers = ABLE } = {}) =>
  plan(place, mapping, edits, powers);
const targetsOf = (...args: Parameters<typeof rowsOf>) => targetsOfRows(rowsOf(...args));

test("the description of a new identity says which one it replaces, however often it moves", () => {
  expect(replacementText(OLD, "Signs images.")).toBe(`Signs images. Replaces identity ${OLD}.`);
  expect(replacedBy(replacementText(MADE, replacementText(OLD, "Signs images.")))).toBe(MADE);
  expect(replacementText(MADE, replacementText(OLD))).toBe(`Replaces identity ${MADE}.`);
  expect(replacedBy("Replaces identity cards.")).toBeUndefined();
  expect(replacedBy(undefined)).toBeUndefined();
});

test("a description without room for the mark is left with the old one", () => {
  expect(replacementText(OLD, "x".repeat(7_990))).toBe(`Replaces identity ${OLD}.`);
});

test("plans a new identity beside each with the issuer, with its roles", () => {
  const place = placeOf([old, identity(MADE, "https://third.example")], [binding(OLD)]);
  expect(rowsOf(place)).toMatchObject([
    {
      body: {
        name: "ci-new",
        description: `Signs images. Replaces identity ${OLD}.`,
        claimMatch: { issuer: "https://new.example", subject: "job" },
      },
      problems: [],
      roles: ["editor at acme"],
      there: undefined,
      lacking: 0,
    },
  ]);
  expect(targetsOf(place)).toMatchObject([{ uid: OLD, name: "ci", parent: ORG, updateTime: old.updateTime }]);
});

test("says why one with the issuer can't move, and nothing of other issuers", () => {
  const keys = identity(MADE, "x", {
    claimMatch: undefined,
    staticKeys: {
      issuer: "https://old.example",
      subject: "k",
      issuerKeys: "{}",
      expirationTime: "2020-01-01T00:00:00Z",
    },
  });
  const elsewhere = identity(`${ORG}/${"f".repeat(16)}`, "https://third.example");
  const rows = rowsOf(placeOf([keys, elsewhere]));
  expect(rows.map(({ body, problems }) => ({ body, problems }))).toEqual([
    { body: undefined, problems: ["Its keys have expired."] },
  ]);
});

test("what the user changed counts, and what was left out is not sent", () => {
  const [row] = rowsOf(placeOf([old]), {
    [OLD]: { name: "release", subject: "job-.*", isPattern: true, claims: "ref=main\n" },
  });
  expect(row?.body).toMatchObject({
    name: "release",
    claimMatch: { issuer: "https://new.example", subjectPattern: "job-.*", claims: { ref: "main" } },
  });
  expect(targetsOf(placeOf([old]), { [OLD]: { left: true } })).toEqual([]);
});

test("a rule that needs a decision is sent only after it", () => {
  const place = placeOf([
    identity(OLD, "https://old.example", {
      claimMatch: { issuer: "https://old.example", subject: "custom" },
    }),
  ]);
  const mapping: RuleMapping = { ...MOVED, move: "gitlab" };
  const ready = (edits: Edits) =>
    targetsOf(place, edits, { mapping }).map(({ body }) => body.claimMatch?.subject);
  expect(ready({})).toEqual([]);
  // Without a subject, whatever was decided.
  expect(ready({ [OLD]: { decided: true } })).toEqual([]);
  const subject = "project_path:a/b:ref_type:branch:ref:main";
  expect(ready({ [OLD]: { subject } })).toEqual([]);
  expect(ready({ [OLD]: { subject, decided: true } })).toEqual([subject]);
});

test("names what the contract finds wrong with a new identity", () => {
  const mapping = { ...MOVED, newIssuer: "nowhere", suffix: "-NEW" };
  const [row] = rowsOf(placeOf([old]), {}, { mapping });
  expect(row?.problems.map((problem) => problem.split(":")[0])).toEqual(["Name", "Claim match"]);
  expect(targetsOf(placeOf([old]), {}, { mapping })).toEqual([]);
});

test("a rule that is there already is completed if it replaces the identity, and a problem otherwise", () => {
  const place = placeOf([old, made({ name: "renamed" })], [binding(OLD)]);
  expect(rowsOf(place)[0]).toMatchObject({
    there: MADE,
    problems: [],
    lacking: 1,
    body: { name: "renamed" },
  });
  expect(targetsOf(place)).toHaveLength(1);
  const complete = placeOf([old, made()], [binding(OLD), binding(MADE)]);
  expect(rowsOf(complete)[0]).toMatchObject({ there: MADE, lacking: 0 });
  expect(targetsOf(complete)).toEqual([]);
  const [taken] = rowsOf(placeOf([old, made({ name: "other", description: "" })]));
  expect(taken).toMatchObject({ there: undefined, problems: ["other already has this rule."] });
});

test("no second replacement with another rule, after a change of the mapping", () => {
  const [row] = rowsOf(
    placeOf([old, made({ claimMatch: { issuer: "https://wrong.example", subject: "job" } })]),
  );
  expect(row?.problems).toEqual([
    "ci-new already replaces it, with another rule. Delete that one, or leave this out.",
  ]);
});

test("two identities can't get the same rule, unless one is left out", () => {
  const twin = identity(`${ORG}/${"e".repeat(16)}`, "https://old.example", { name: "twin" });
  const problems = (edits: Edits) => rowsOf(placeOf([old, twin]), edits).map((row) => row.problems);
  expect(problems({})).toEqual([[], ["ci would get the same rule."]]);
  expect(problems({ [OLD]: { left: true } })).toEqual([[], []]);
});

test("says which role the user can't grant, and sends nothing of that identity", () => {
  const place = placeOf([old], [binding(OLD)]);
  const held = () => new Set(["repo.create"]);
  const powers: Powers = { ...ABLE, held };
  expect(rowsOf(place, {}, { powers })[0]?.problems).toEqual([
    "You can't grant editor at acme: it has 1 capability that you don't have.",
  ]);
  expect(targetsOf(place, {}, { powers })).toEqual([]);
  const refused: Powers = {
    ...ABLE,
    refusal: ({ access }) => (access.needs.length > 0 ? "You need permission" : undefined),
  };
  expect(rowsOf(place, {}, { powers: refused })[0]?.problems).toEqual([
    "You need permission.",
    "You can't see all its roles. You need permission.",
    "You can't grant editor at acme. You need permission.",
  ]);
});

test.each([
  ["unused", made(), old],
  ["done", made({ lastSeenTime: "2026-11-20T00:00:00Z" }), old],
  [
    "old used",
    made({ lastSeenTime: "2026-11-20T00:00:00Z" }),
    { ...old, lastSeenTime: "2026-11-19T00:00:00Z" },
  ],
  // It may have signed in again within the minutes that the service doesn't note.
  [
    "old used",
    made({ createTime: "2026-11-19T00:04:00Z", lastSeenTime: "2026-11-20T00:00:00Z" }),
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

test("says why nothing can be created: no permission, or what is wrong with the rules", () => {
  const refused: Powers = { ...ABLE, refusal: () => "You need permission" };
  expect(whyNothing(rowsOf(placeOf([old]), {}, { powers: refused }), refused.refusal)).toBe(
    "You need permission",
  );
  const wrong = rowsOf(placeOf([old]), { [OLD]: { name: "NOT ALLOWED" } });
  expect(whyNothing(wrong, ABLE.refusal)).toBe("None of these can be created as it is");
  expect(whyNothing(rowsOf(placeOf([old, made()])), ABLE.refusal)).toBe("Nothing is left to create");
});

test("a name in a sentence doesn't turn the text around it", () => {
  const other = made({ name: "\u202eci", claimMatch: { issuer: "https://third.example", subject: "job" } });
  expect(rowsOf(placeOf([old, other]))[0]?.problems[0]).toMatch(/^\\u\{202e\}ci already replaces it/);
});
