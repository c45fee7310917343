import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Wire } from "../../conformance/world";
import { refresh } from "../oidc/testing";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { ADA, Federation } from "../../testing/federation";
import { openDirectory, patchOf, TestDirectory, userBody } from "../../testing/scim";

const EDITOR = builtInRoleUid("editor");

let federation: Federation;
beforeAll(async () => {
  federation = await Federation.open();
});
afterAll(() => federation.stop());
beforeEach(() => {
  federation.issuer.person = ADA;
});

const open = (provider: string): Promise<TestDirectory> =>
  openDirectory(federation.world, federation.owner, provider);
const push = async (directory: TestDirectory, name: string, more: Wire = {}): Promise<string> =>
  (await directory.make("POST", "/Users", userBody(name, more)))["id"];
const setActive = (directory: TestDirectory, id: string, active: boolean) =>
  directory.make("PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { active } }));
const opens = async (token: string): Promise<number> =>
  (await federation.world.send(token, "groups.get", { uid: federation.organization })).status;

/** Roles by person, as the API lists them at the organization. */
async function heldAt(role: string): Promise<string[]> {
  const query = { "uidp.descendants_of": federation.organization };
  const { roleBindings } = await federation.world.make(federation.owner, "roleBindings.list", {
    query: { ...query },
  });
  return (roleBindings as Wire[]).flatMap(({ role: one, identity }) =>
    one.name === role ? [identity.name] : [],
  );
}

test("a pushed user is the person who signs in; pushed groups give roles at once, and the token's groups none", async () => {
  const uid = await federation.makeProvider();
  await federation.map("engineers", EDITOR, uid);
  const directory = await open(uid);
  const id = await push(directory, "pushed-1", { displayName: "Ada Lovelace" });
  const group = await directory.make("POST", "/Groups", {
    displayName: "engineers",
    members: [{ value: id }],
  });
  federation.issuer.person = { sub: "pushed-1", groups: ["engineers", "others"] };
  const first = await federation.signedIn(uid);
  expect(await federation.held(first.identity)).toEqual(["editor at acme", "viewer at folder"]);
  const { name } = await federation.world.make(federation.owner, "identities.get", { uid: first.identity });
  expect(name).toBe("Ada Lovelace");
  await directory.make(
    "PATCH",
    `/Groups/${group["id"]}`,
    patchOf({ op: "Remove", path: `members[value eq "${id}"]` }),
  );
  expect(await federation.held(first.identity)).toEqual(["viewer at folder"]);
  // The token still names the group: the directory decides.
  await federation.signedIn(uid);
  expect(await federation.held(first.identity)).toEqual(["viewer at folder"]);
});

test("who is deactivated or removed loses sessions, tokens and mapped roles at once, and cannot sign in", async () => {
  const uid = await federation.makeProvider();
  await federation.map("engineers", EDITOR, uid);
  const directory = await open(uid);
  const id = await push(directory, "leaver");
  await directory.make("POST", "/Groups", { displayName: "engineers", members: [{ value: id }] });
  federation.issuer.person = { ...ADA, sub: "leaver" };
  const person = await federation.signedIn(uid);
  expect(await opens(person.accessToken)).toBe(200);
  await setActive(directory, id, false);
  expect(await opens(person.accessToken)).toBe(401);
  expect((await refresh(federation.base, person.refreshToken)).status).toBe(400);
  expect(await federation.held(person.identity)).toEqual(["viewer at folder"]);
  expect(await federation.signIn(uid)).toMatchObject({
    status: 403,
    page: expect.stringContaining("was deactivated"),
  });
  await setActive(directory, id, true);
  const back = await federation.signedIn(uid);
  expect(back.identity).toBe(person.identity);
  expect(await federation.held(back.identity)).toEqual(["editor at acme", "viewer at folder"]);
  await directory.make("DELETE", `/Users/${id}`);
  expect(await opens(back.accessToken)).toBe(401);
  expect(await federation.held(back.identity)).toEqual(["viewer at folder"]);
  expect(await federation.signIn(uid)).toMatchObject({ status: 403 });
  // Pushed again, it is the same person.
  await push(directory, "leaver");
  expect((await federation.signedIn(uid)).identity).toBe(person.identity);
});

test("who signed in before the directory pushed them stays the same person, by sub and by oid", async () => {
  const bySub = await federation.makeProvider();
  federation.issuer.person = { ...ADA, sub: "early" };
  const early = await federation.signedIn(bySub);
  const id = await push(await open(bySub), "early");
  expect(id).toBeTruthy();
  expect((await federation.signedIn(bySub)).identity).toBe(early.identity);
  const byOid = await federation.makeProvider({ correlationRule: "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID" });
  await federation.map("engineers", EDITOR, byOid);
  federation.issuer.person = { ...ADA, sub: "pairwise", oid: "object-1" };
  const before = await federation.signedIn(byOid);
  const directory = await open(byOid);
  const pushed = await push(directory, "object-1");
  await directory.make("POST", "/Groups", { displayName: "engineers", members: [{ value: pushed }] });
  const after = await federation.signedIn(byOid);
  expect(after.identity).toBe(before.identity);
  expect(await federation.held(after.identity)).toEqual(["editor at acme", "viewer at folder"]);
  // Roles are not left with the person that the push had made.
  expect(await heldAt("editor")).not.toContain("object-1");
  await setActive(directory, pushed, false);
  expect(await federation.signIn(byOid)).toMatchObject({ status: 403 });
  // Another person's sub is not an externalId there.
  federation.issuer.person = { ...ADA, sub: "object-1", oid: "object-2" };
  expect((await federation.signedIn(byOid)).identity).not.toBe(before.identity);
});

test("another externalId is another person, who gets nothing of the former one", async () => {
  const uid = await federation.makeProvider();
  const directory = await open(uid);
  const id = await push(directory, "victim");
  federation.issuer.person = { ...ADA, sub: "victim" };
  const victim = await federation.signedIn(uid);
  await federation.world.bind(federation.owner, federation.organization, victim.identity, "owner");
  await directory.make(
    "PATCH",
    `/Users/${id}`,
    patchOf({ op: "replace", path: "externalId", value: "attacker" }),
  );
  federation.issuer.person = { ...ADA, sub: "attacker" };
  const attacker = await federation.signedIn(uid);
  expect(attacker.identity).not.toBe(victim.identity);
  expect(await federation.held(attacker.identity)).toEqual(["viewer at folder"]);
  expect(await opens(victim.accessToken)).toBe(401);
});

test("a new mapping gives its role to those already pushed, and a renamed group another one", async () => {
  const uid = await federation.makeProvider();
  const directory = await open(uid);
  const id = await push(directory, "mapped");
  const { id: group } = await directory.make("POST", "/Groups", {
    displayName: "early",
    members: [{ value: id }],
  });
  federation.issuer.person = { ...ADA, sub: "mapped" };
  const { identity } = await federation.signedIn(uid);
  await federation.map("early", EDITOR, uid);
  expect(await federation.held(identity)).toEqual(["editor at acme", "viewer at folder"]);
  await directory.make(
    "PATCH",
    `/Groups/${group}`,
    patchOf({ op: "Replace", path: "displayName", value: "late" }),
  );
  expect(await federation.held(identity)).toEqual(["viewer at folder"]);
  await federation.map("late", EDITOR, uid);
  expect(await federation.held(identity)).toEqual(["editor at acme", "viewer at folder"]);
  await directory.make("DELETE", `/Groups/${group}`);
  expect(await federation.held(identity)).toEqual(["viewer at folder"]);
});

test("a person without a token of the directory's provider signs in as before; a pushed email is not verified", async () => {
  const uid = await federation.makeProvider();
  const directory = await open(uid);
  await push(directory, "mailed", { emails: [{ value: "ceo@acme.example", primary: true }] });
  const rows = await federation.world.service.database.query(
    "select email, email_verified from upstream_accounts where external_id = 'mailed'",
  );
  expect(rows).toEqual([{ email: "ceo@acme.example", email_verified: false }]);
  federation.issuer.person = { sub: "mailed", email_verified: true };
  await federation.signedIn(uid);
  expect(
    await federation.world.service.database.query(
      "select email_verified from upstream_accounts where external_id = 'mailed'",
    ),
  ).toEqual([{ email_verified: false }]);
  federation.issuer.person = { ...ADA, sub: "never pushed" };
  expect((await federation.signedIn(uid)).identity).toBeTruthy();
});

test("every write leaves an entry by the provider, and reads and refusals none", async () => {
  const uid = await federation.makeProvider();
  const directory = await open(uid);
  const id = await push(directory, "logged", { password: "a secret of theirs" });
  await setActive(directory, id, false);
  const { id: group } = await directory.make("POST", "/Groups", {
    displayName: "logged group",
    members: [{ value: id }],
  });
  await directory.make("PATCH", `/Groups/${group}`, patchOf({ op: "add", path: "externalId", value: "x" }));
  await directory.make("DELETE", `/Groups/${group}`);
  await directory.make("DELETE", `/Users/${id}`);
  await directory.call("GET", "/Users");
  await directory.call("POST", "/Users", { userName: "" });
  const query = { actor: uid, order_by: "created_at" };
  const { auditEntries } = await federation.world.make(federation.owner, "auditEntries.list", { query });
  const entries = auditEntries as Wire[];
  expect(entries.map(({ action }) => action)).toEqual([
    "scim.users.create",
    "scim.users.update",
    "scim.groups.create",
    "scim.groups.update",
    "scim.groups.delete",
    "scim.users.delete",
  ]);
  expect(entries[1]).toMatchObject({
    actor: { uid, name: "Acme SSO" },
    record: { kind: "identities", name: "logged@acme.example", group: federation.folder },
    changes: [{ field: "active", before: "true", after: "false" }],
  });
  expect(entries[2]).toMatchObject({
    record: { kind: "directoryGroups", uid: group, name: "logged group" },
    changes: [
      { field: "displayName", after: '"logged group"' },
      { field: "membersChanged", after: "1" },
    ],
  });
  expect(JSON.stringify(entries)).not.toMatch(/a secret of theirs|cgscim_/);
});
