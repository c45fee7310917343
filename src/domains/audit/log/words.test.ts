import { expect, it } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";

import { actorWords, byWords } from "./who";
import { recordLink } from "~/frame/scope/record-link";
import { fieldWords } from "~/frame/record/field-words";
import {
  besideWords,
  actionWords,
  ACTIONS,
  entryTitle,
  operationWords,
  reasonWords,
  shownChanges,
  valueOf,
} from "./words";

const GROUP = "a".repeat(40);
const TEAM = `${GROUP}/${"1".repeat(16)}`;
const ANN = "b".repeat(40);
const ROLE = "c".repeat(40);
const NAMES = { [GROUP]: "Acme", [TEAM]: "team-a", [ANN]: "Ann Example", [ROLE]: "editor" };

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  uid: `${GROUP}/${"9".repeat(16)}`,
  createTime: "2026-11-25T15:49:11.747Z",
  outcome: "OUTCOME_DONE",
  action: "",
  names: NAMES,
  ...fields,
});

const binding = {
  kind: "roleBindings",
  uid: `${TEAM}/${"2".repeat(16)}`,
  group: TEAM,
  identityUid: ANN,
  roleUid: ROLE,
};

it("says who got which role where", () => {
  expect(entryTitle(entry({ action: "roleBindings.create", change: "created", record: binding }))).toBe(
    "Granted access: Ann Example as editor in team-a",
  );
  const group = { kind: "groups", uid: TEAM, name: "team-a", group: TEAM };
  const many = entry({ action: "roleBindings.batchCreate", record: group, relatedCount: 3 });
  expect(entryTitle(many)).toBe("Granted access: 3 identities in team-a");
});

it("describes refused attempts, and why they were refused", () => {
  const refused = entry({
    action: "repos.delete",
    outcome: "OUTCOME_DENIED",
    reason: "PERMISSION_DENIED",
    record: { kind: "repos", uid: `${TEAM}/${"3".repeat(16)}`, name: "python", group: TEAM },
  });
  expect(entryTitle(refused)).toBe("Tried to delete a repo: python");
  expect(reasonWords(refused)).toBe("No permission");
  expect(actionWords(entry({ action: "identities.create", outcome: "OUTCOME_REFUSED" }))).toBe(
    "Tried to create an identity",
  );
  expect(reasonWords(entry({ reason: "A_NEW_ONE" }))).toBe("A new one");
});

it("distinguishes a moved tag from a new one, with its repo", () => {
  const repo = `${TEAM}/${"3".repeat(16)}`;
  const record = { kind: "tags", uid: `${repo}/${"4".repeat(16)}`, name: "latest", group: TEAM };
  const names = { ...NAMES, [repo]: "python" };
  expect(entryTitle(entry({ action: "tags.create", change: "updated", record, names }))).toBe(
    "Moved tag: latest of python",
  );
  expect(entryTitle(entry({ action: "tags.create", change: "created", record, names }))).toBe(
    "Created tag: latest of python",
  );
});

it("doesn't repeat a person who did something to their own account", () => {
  const person = { kind: "identities", uid: ANN, name: "Ann Example" };
  const signIn = entry({
    action: "signIn.password",
    actor: { uid: ANN, name: "Ann Example" },
    record: person,
  });
  expect(entryTitle(signIn)).toBe("Signed in");
  const failed = { ...signIn, actor: undefined, outcome: "OUTCOME_REFUSED" } as const;
  expect(entryTitle(failed)).toBe("Tried to sign in: Ann Example");
  expect(actorWords({ ...failed, request: { transport: "http" } })).toBe("Not signed in");
});

it("names the service and commands, which have no identity", () => {
  const removed = entry({
    action: "service.deleted",
    change: "deleted",
    record: { kind: "groupInvites", uid: binding.uid, name: "bo@example.com", group: TEAM },
    request: { transport: "service" },
  });
  expect(entryTitle(removed)).toBe("Deleted invite: bo@example.com");
  expect(actorWords(removed)).toBe("The service");
  expect(actorWords(entry({ request: { transport: "command" } }))).toBe("A command");
});

it("names an invite by whom it is for and by its role, since it has no name of its own", () => {
  const uid = `${"a".repeat(40)}/${"1".repeat(16)}`;
  const role = "e".repeat(40);
  const invited = (email?: string) =>
    entryTitle(
      entry({
        action: "groupInvites.create",
        change: "created",
        record: { kind: "groupInvites", uid },
        changes: [
          { field: "roleUid", after: JSON.stringify(role) },
          ...(email === undefined ? [] : [{ field: "email", after: JSON.stringify(email) }]),
        ],
        names: { [role]: "editor" },
      }),
    );
  expect(invited("bo@example.com")).toBe("Invited: bo@example.com as editor");
  expect(invited()).toBe("Invited: anyone with the link as editor");
  const record = { kind: "groupInvites", uid };
  expect(entryTitle(entry({ action: "groupInvites.register", record }))).toBe("Redeemed invite");
});

it("has words for every action that it knows, and for others", () => {
  for (const action of ACTIONS) expect(operationWords(action)).toMatch(/^[A-Z][a-z]+(?: [A-Za-z]+)*$/);
  expect(new Set(ACTIONS).size).toBe(ACTIONS.length);
  expect(operationWords("service.deleted")).toBe("Deleted by the service");
  expect(operationWords("signIn.passkeyOfHere")).toBe("Sign in passkey of here");
});

it("says fields and values as the screens do", () => {
  expect(fieldWords("claimMatch.subject")).toBe("Claim match: subject");
  expect(fieldWords("oidc.clientSecret")).toBe("OIDC: client secret");
  expect(fieldWords("roleUid")).toBe("Role");
  expect(valueOf(entry({}), "roleUid", `"${ROLE}"`)).toBe("editor");
  expect(valueOf(entry({}), "capabilities", '["CAP_REPO_LIST"]')).toEqual(["repo.list"]);
  expect(valueOf(entry({}), "expirationTime", '"2026-11-25T15:49:11.747Z"')).toBe("2026-11-25 15:49:11 UTC");
  expect(valueOf(entry({}), "description", String.raw`"a long\ntext th`)).toBe("a long\ntext th\u2026");
  expect(valueOf(entry({}), "name", undefined)).toBeUndefined();
});

it.each([
  ["kind", "ORG_KIND_DEV", "Personal"],
  ["kind", "ORG_KIND_UNSPECIFIED", ""],
  ["catalogTier", "CATALOG_TIER_AI", "AI and ML"],
  ["relationshipType", "RELATIONSHIP_TYPE_CLAIM_MATCH", "Claim match"],
  ["oidc.correlationRule", "CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID", "Sub equals external id"],
  ["capabilities", "CAP_OF_TOMORROW", "CAP_OF_TOMORROW"],
  // A name may look like a constant.
  ["name", "RELEASE_CANDIDATE", "RELEASE_CANDIDATE"],
])("says the constant of %s %s in words", (field, value, words) => {
  expect(valueOf(entry({}), field, JSON.stringify(value))).toBe(words);
});

it("shows nothing of organizations in what a folder was created with", () => {
  const changes = [
    { field: "name", after: '"team"' },
    { field: "verified", after: "false" },
  ];
  const shown = (uid: string, change: string) =>
    shownChanges({ kind: "groups", uid }, change, changes).map(({ field }) => field);
  expect(shown(TEAM, "created")).toEqual(["name"]);
  expect(shown(TEAM, "updated")).toEqual(["name", "verified"]);
  expect(shown(GROUP, "created")).toEqual(["name", "verified"]);
});

it("links a record to its page, and a mapping to its provider's", () => {
  const provider = `${GROUP}/${"5".repeat(16)}`;
  const mapping = { kind: "externalGroupRoleMappings", uid: `${provider}/${"6".repeat(16)}` };
  expect(recordLink(mapping)).toEqual({
    to: "/identity-providers/$uid",
    params: { uid: provider.replaceAll("/", "_") },
  });
  expect(recordLink({ kind: "accounts", uid: ANN })).toBeUndefined();
  expect(recordLink({ kind: "repos", uid: "" })).toBeUndefined();
});

it("says what a command imported, and names what acts without an identity within a sentence", () => {
  const repo = { kind: "repos", uid: `${TEAM}/${"3".repeat(16)}`, name: "python", group: TEAM };
  const imported = entry({ action: "import", record: repo, request: { transport: "command" } });
  expect(entryTitle(imported)).toBe("Imported repo: python");
  expect([actorWords(imported), byWords(imported)]).toEqual(["A command", "a command"]);
  expect(operationWords("import")).toBe("Imported by a command");
  expect(byWords(entry({ request: { transport: "service" } }))).toBe("the service");
  expect(byWords(entry({ actor: { uid: ANN, name: "Ann Example" } }))).toBe("Ann Example");
});

it("a role that came with a sign-in is not called an act of who signed in", () => {
  const role = { kind: "roleBindings", uid: "b", name: "viewer", roleUid: "r", group: GROUP };
  const entry: AuditEntry = {
    uid: "e",
    createTime: "",
    action: "signIn.provider",
    outcome: "OUTCOME_DONE",
    related: [{ record: role, change: "created", changes: [] }],
  };
  expect(besideWords(entry, "b")).toBe("Given at sign-in by its provider");
  expect(besideWords(entry, "other")).toBe("Signed in with a provider");
  const named = { ...entry, actor: { uid: ANN, provider: "p" }, names: { p: "Okta" } };
  expect(besideWords(named, "b")).toBe("Given at sign-in by Okta");
  const facts = [
    { field: "defaultRole", after: '"r"' },
    { field: "groups", after: '["devs","ops"]' },
  ];
  const inGroup = (group: string) => ({ kind: "identities", uid: ANN, group });
  expect(besideWords({ ...named, changes: facts, record: inGroup(GROUP) }, "b")).toBe(
    "Given at sign-in by Okta, its default role",
  );
  expect(besideWords({ ...named, changes: facts, record: inGroup("elsewhere") }, "b")).toBe(
    "Given at sign-in by Okta, through devs, ops",
  );
  const cut = [{ field: "groups", after: '["de' }];
  expect(besideWords({ ...named, changes: cut }, "b")).toBe("Given at sign-in by Okta");
});
