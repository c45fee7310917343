import { afterAll, beforeAll, expect, test } from "vitest";

import { TestStore } from "../../testing/store";

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.open();
});
afterAll(() => store.database.close());

test("whoever signs in makes an organization and is its owner by one binding", async () => {
  const { uid, owner } = await store.organization("first");
  expect(uid).toMatch(/^[0-9a-f]{40}$/);
  expect(await store.call(owner, "groups.get", { uid })).toEqual({
    uid,
    name: "first",
    verified: false,
    status: "ORG_STATUS_READY",
    createTime: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    updateTime: expect.stringMatching(/Z$/),
  });
  const { roleBindings } = await store.call(owner, "roleBindings.list");
  expect(roleBindings).toMatchObject([
    { identityUid: owner.identities[0], role: { name: "owner" }, group: { uid } },
  ]);
});

test("organizations are not for everybody when the operator says so, nor for other issuers", async () => {
  const closed = new TestStore(store.database, { ...store.config, organizationCreation: "nobody" });
  const person = await store.person("closed out");
  expect((await closed.refusal(person, "groups.create", { body: { name: "mine" } })).name).toBe(
    "PERMISSION_DENIED",
  );
  const foreign = { ...person, issuer: "https://elsewhere.example" };
  const { name, message } = await store.refusal(foreign, "groups.create", { body: { name: "mine" } });
  expect([name, message]).toEqual(["PERMISSION_DENIED", "Permission denied: requires CAP_IAM_GROUPS_CREATE"]);
});

test("a folder reports the kind and status of its organization", async () => {
  const { uid, owner } = await store.organization("kinds");
  await store.database.query(
    "update groups set kind = 'ORG_KIND_CUSTOMER', status = 'ORG_STATUS_SUSPENDED' where uid = $1",
    [uid],
  );
  const folder = await store.call(owner, "groups.create", {
    parent: uid,
    body: { name: "folder", description: "d" },
  });
  expect(folder).toMatchObject({
    kind: "ORG_KIND_CUSTOMER",
    status: "ORG_STATUS_SUSPENDED",
    description: "d",
  });
  expect(folder["uid"]).toMatch(new RegExp(`^${uid}/[0-9a-f]{16}$`));
});

test("a person makes so many organizations and no more, also side by side; a deleted one does not count", async () => {
  const limited = new TestStore(store.database, { ...store.config, organizationLimit: 3 });
  const person = await limited.person("founder of many");
  const tries = Array.from({ length: 6 }, (_, index) =>
    limited.call(person, "groups.create", { body: { name: `one of many ${index}` } }),
  );
  const settled = await Promise.allSettled(tries);
  const made = settled.flatMap((one) => (one.status === "fulfilled" ? [String(one.value["uid"])] : []));
  expect(made).toHaveLength(3);
  const body = { name: "one too many" };
  expect(await limited.refusal(person, "groups.create", { body })).toMatchObject({
    name: "FAILED_PRECONDITION",
    preconditions: [
      { type: "ORGANIZATION_LIMIT", description: "one person can create at most 3 organizations" },
    ],
  });
  const founder = await limited.person("founder of many");
  await limited.call(founder, "groups.create", { parent: made[0] ?? "", body: { name: "a folder" } });
  await limited.call(founder, "groups.delete", { uid: made[1] ?? "" });
  await limited.call(founder, "groups.create", { body });
  // Giving one away does not free quota, and the limit affects neither other users nor the operator's client.
  await store.database.query("delete from role_bindings where parent = $1", [made[2]]);
  expect((await limited.refusal(founder, "groups.create", { body })).name).toBe("FAILED_PRECONDITION");
  await limited.organization("of a neighbour");
  for (let turn = 0; turn < 4; turn += 1) await limited.organization(`automatic ${turn}`, "automation");
});

test("every failing field at once; what only the operator sets is a violation", async () => {
  const person = await store.person("careless");
  const body = { name: "ab", description: "x\0", verified: true, kind: "ORG_KIND_DEV", more: 1 };
  const { message, violations } = await store.refusal(person, "groups.create", { body });
  expect(violations).toEqual([
    { field: "name", description: "must be 3 to 63 characters long" },
    { field: "description", description: "must not contain NUL or unpaired surrogates" },
    { field: "verified", description: "set by the operator" },
    { field: "kind", description: "set by the operator" },
  ]);
  expect(message).toMatch(/^Invalid argument: name: must be/);
});

test("sending the operator's fields back unchanged is no violation, changing them is", async () => {
  const { uid, owner } = await store.organization("round trip");
  await store.database.query("update groups set verified = true, kind = 'ORG_KIND_DEV' where uid = $1", [
    uid,
  ]);
  const group = await store.call(owner, "groups.get", { uid });
  const saved = await store.call(owner, "groups.update", { uid, body: { ...group, name: "renamed" } });
  expect(saved).toMatchObject({ name: "renamed", verified: true, kind: "ORG_KIND_DEV" });
  expect(Date.parse(saved["updateTime"])).toBeGreaterThan(Date.parse(group["updateTime"]));
  const { violations } = await store.refusal(owner, "groups.update", { uid, body: { verified: false } });
  expect(violations).toEqual([{ field: "verified", description: "set by the operator" }]);
});

test("groups nest at most 32 deep, and only under a parent that is there", async () => {
  const { uid, owner } = await store.organization("deep");
  let parent = uid;
  for (let depth = 2; depth <= 32; depth++)
    parent = (await store.call(owner, "groups.create", { parent, body: { name: `level ${depth}` } }))["uid"];
  const { violations } = await store.refusal(owner, "groups.create", { parent, body: { name: "too deep" } });
  expect(violations).toEqual([
    { field: "parent", description: "groups can be nested at most 32 levels deep" },
  ]);

  const gone = await store.refusal(owner, "groups.create", {
    parent: `${uid}/${"0".repeat(16)}`,
    body: { name: "abc" },
  });
  expect(gone.name).toBe("NOT_FOUND");
  const { owner: other } = await store.organization("other");
  for (const missing of [uid, `${uid}/${"0".repeat(16)}`])
    expect(
      (await store.refusal(other, "groups.create", { parent: missing, body: { name: "abc" } })).message,
    ).toBe(`Permission denied: requires CAP_IAM_GROUPS_CREATE at ${missing}`);
});

test("a group that holds anything stays, and the refusal names every kind in the way", async () => {
  const { uid, owner } = await store.organization("full");
  const folder = (await store.call(owner, "groups.create", { parent: uid, body: { name: "folder" } }))["uid"];
  await store.call(owner, "groups.create", { parent: folder, body: { name: "below" } });
  const claimMatch = { issuer: "https://ci.example", subject: "s" };
  await store.call(owner, "identities.create", { parent: folder, body: { name: "bot", claimMatch } });
  await store.call(owner, "roles.create", {
    parent: folder,
    body: { name: "r", capabilities: ["groups.list"] },
  });
  await store.member("a viewer", "viewer", [folder], owner);

  const { name, message, preconditions } = await store.refusal(owner, "groups.delete", { uid: folder });
  expect(name).toBe("FAILED_PRECONDITION");
  expect(message).toMatch(/^Precondition failed: cannot delete group with child groups; /);
  expect(preconditions).toEqual(
    ["groups", "identities", "roles", "role bindings"].map((kind) => ({
      type: "RESOURCE_NOT_EMPTY",
      description: `cannot delete group with child ${kind}`,
      subject: folder,
    })),
  );
});

test("the caller's own bindings go with an organization, those of others keep it", async () => {
  const { uid, owner } = await store.organization("leaving");
  const other = await store.member("somebody else", "viewer", [uid], owner);
  expect((await store.refusal(owner, "groups.delete", { uid })).preconditions).toHaveLength(1);
  const { roleBindings } = await store.call(owner, "roleBindings.list", {
    query: { identity: other.identities[0] },
  });
  expect(await store.call(owner, "roleBindings.delete", { uid: roleBindings[0].uid })).toBeUndefined();
  await store.call(owner, "groups.delete", { uid });
  expect((await store.refusal(owner, "groups.get", { uid })).name).toBe("NOT_FOUND");
  expect((await store.refusal(owner, "groups.delete", { uid })).name).toBe("NOT_FOUND");
  expect((await store.person("owner of leaving")).grants).toEqual([]);
});
