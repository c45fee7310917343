import { expect, it } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";

import { reversalOf, undoingOf } from "./undo";

const GROUP = "a".repeat(40);
const UID = `${GROUP}/${"1".repeat(16)}`;

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  uid: `${GROUP}/${"9".repeat(16)}`,
  createTime: "2026-11-25T15:49:11.747Z",
  outcome: "OUTCOME_DONE",
  action: "identities.update",
  record: { kind: "identities", uid: UID, name: "ci-bot", group: GROUP },
  change: "updated",
  ...fields,
});
const change = (field: string, before?: unknown, after?: unknown) => ({
  field,
  ...(before !== undefined && { before: JSON.stringify(before) }),
  ...(after !== undefined && { after: JSON.stringify(after) }),
});

it("undoes an update by an update, and a creation by a deletion", () => {
  expect(undoingOf(entry({ changes: [change("name", "a", "b")] }))).toEqual({
    by: "update",
    collection: "identities",
    uid: UID,
  });
  expect(undoingOf(entry({ action: "identities.create", change: "created" }))).toMatchObject({
    by: "delete",
  });
  const binding = { kind: "roleBindings", uid: UID, group: GROUP };
  expect(
    undoingOf(entry({ action: "roleBindings.create", change: "created", record: binding })),
  ).toMatchObject({ by: "delete" });
});

it("undoes the deletion of a tag or role binding by creating it again, from what the log kept", () => {
  const record = { kind: "tags", uid: UID, name: "1.24", group: GROUP };
  const changes = [change("name", "1.24"), change("digest", "sha256:0"), change("deprecated", true)];
  const deleted = entry({ action: "tags.delete", change: "deleted", record, changes });
  expect(undoingOf(deleted)).toEqual({
    by: "create",
    uid: UID,
    again: {
      collection: "tags",
      parent: GROUP,
      body: { name: "1.24", digest: "sha256:0", deprecated: true },
    },
  });
  const binding = { ...deleted, record: { ...record, kind: "roleBindings" } };
  const given = [change("identityUid", "i"), change("createTime", "2026-01-01T00:00:00Z")];
  expect(undoingOf({ ...binding, changes: given })).toMatchObject({ again: { body: { identityUid: "i" } } });
  const cut = [{ ...change("digest", "sha256:0"), cut: true }];
  expect(undoingOf({ ...deleted, changes: cut })).toMatchObject({ by: undefined });
});

it.each([
  ["a deletion", { action: "identities.delete", change: "deleted" }, /can't bring back/],
  ["a secret", { changes: [{ field: "oidc.clientSecret", hidden: true }] }, /keeps no secrets/],
  ["a long value", { changes: [{ ...change("name", "a", "b"), cut: true }] }, /only the beginning/],
  ["a key with dots", { changes: [change("customOverlay.environment.a.b", "1", "2")] }, /enough detail/],
  ["several records", { action: "roleBindings.batchCreate", change: undefined, relatedCount: 2 }, /each/],
  ["other records too", { relatedCount: 1, changes: [] }, /other records/],
  ["an import", { action: "import", change: "created" }, /can.t be undone from here/],
  ["terms", { action: "terms.accept", record: { kind: "terms", uid: UID } }, /no operation/],
] as const)("says why %s can't be undone", (_, fields, why) => {
  expect(undoingOf(entry(fields as Partial<AuditEntry>))).toEqual({
    by: undefined,
    why: expect.stringMatching(why) as string,
  });
});

it("has nothing to undo of a refusal or a sign-in", () => {
  expect(undoingOf(entry({ outcome: "OUTCOME_DENIED" }))).toBeUndefined();
  expect(undoingOf(entry({ action: "signIn.password", change: undefined }))).toBeUndefined();
});

it("restores old values, whole messages if one side has none, and clears new ones", () => {
  const current = {
    uid: UID,
    name: "b",
    description: "new",
    claimMatch: { issuer: "https://issuer.example", subject: "repo:x" },
    oidc: { issuer: "https://i.example", scopes: ["a"] },
  };
  const done = entry({
    changes: [
      change("name", "a", "b"),
      change("description", undefined, "new"),
      change("claimMatch.subject", undefined, "repo:x"),
      change("claimMatch.issuer", undefined, "https://issuer.example"),
      change("aws_identity.account", "1", undefined),
      change("oidc.scopes", ["a", "b"], ["a"]),
    ],
  });
  expect(reversalOf(done, current)).toEqual({
    mask: ["name", "description", "claimMatch", "aws_identity", "oidc.scopes"],
    body: { name: "a", aws_identity: { account: "1" }, oidc: { scopes: ["a", "b"] } },
    moved: [],
  });
});

it("finds fields changed since, and treats empty as absent", () => {
  const done = entry({ changes: [change("name", "a", "b"), change("description", "was", "")] });
  expect(reversalOf(done, { uid: UID, name: "c" }).moved.map(({ field }) => field)).toEqual(["name"]);
});
