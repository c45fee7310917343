import { afterAll, beforeAll, expect, test } from "vitest";

import { endpoints, resources } from "platform-contract";

import { OPERATION_BODIES } from "../../conformance/operation-bodies";
import { BODIES } from "../../conformance/samples";
import { collectionAbove, type Wire } from "../../conformance/world";
import { createLog } from "../../log";
import { logAct } from "../oidc/sign-in-log";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { writes } from "./writes";
import { openLogged } from "./testing";
import { verifyLog } from "./verify";

let { ground, world, owner, organization, folder, fresh } = {} as Awaited<ReturnType<typeof openLogged>>;
beforeAll(async () => {
  ({ ground, world, owner, organization, folder, fresh } = await openLogged());
});
afterAll(() => world.service.stop());

// The exchange of a token writes nothing but its entry: server/conformance/exchange.test.ts. A test sign-in changes nothing
// and leaves none: server/platform/oidc/tested-sign-in.test.ts.
test("every operation that writes is tested here, or with its resource in log.test.ts", () => {
  const standard = resources.flatMap(({ collection }) =>
    ["create", "update", "delete"].map((verb) => `${collection}.${verb}`),
  );
  const others = endpoints.filter((one) => writes(one) && !standard.includes(one.id)).map(({ id }) => id);
  expect(others.toSorted()).toEqual([
    "accessRequests.decline",
    "accessReviewItems.decide",
    "accessReviews.apply",
    "accessReviews.close",
    "accessReviews.create",
    "accessReviews.delete",
    "accessReviews.update",
    // server/conformance/eligible-grants.test.ts
    "eligibleGrants.activate",
    "eligibleGrants.approve",
    "eligibleGrants.deactivate",
    "eligibleGrants.decline",
    "externalGroupRoleMappings.batchDelete",
    "groupInvites.register",
    "groups.acceptAccess",
    "groups.requestGroupAccess",
    "groups.signSnapshot",
    "identities.updateIdentityMetadata",
    "identityProviders.generateScimToken",
    "identityProviders.regenerateScimToken",
    "identityProviders.revokeScimToken",
    "identityProviders.setScimEnabled",
    "identityProviders.testSignIn",
    "machineOwners.set",
    "noticeSettings.update",
    "repos.updateReadme",
    "retentionRules.confirm",
    "retentionRules.delete",
    "retentionRules.set",
    "retentionRules.stop",
    "retentionRuns.restore",
    "roleBindings.batchCreate",
    "subscriptions.resend",
    "subscriptions.sendTest",
    "terms.accept",
  ]);
});

test("accepting access is an entry about the organization, by the person who accepts", async () => {
  const newcomer = await world.person("newcomer");
  await world.offer(owner, folder, newcomer.uid, "viewer");
  await fresh();
  await world.make(newcomer, "groups.acceptAccess", { uid: organization, body: {} });
  expect(await fresh()).toMatchObject([
    { action: "groups.acceptAccess", actor: { uid: newcomer.uid }, record: { uid: organization } },
  ]);
});

test("several bindings at once are one entry about their group", async () => {
  const bots = [await world.person("ann"), await world.person("bob")];
  await fresh();
  const viewer = builtInRoleUid("viewer");
  await world.make(owner, "roleBindings.batchCreate", {
    parent: folder,
    body: {
      parent: folder,
      requests: bots.map(({ uid }) => ({ roleBinding: { identityUid: uid } })),
      roleUid: viewer,
    },
  });
  const [entry, ...none] = await fresh();
  expect(none).toEqual([]);
  expect(entry).toMatchObject({
    action: "roleBindings.batchCreate",
    record: { kind: "groups", uid: folder, name: "folder", group: folder },
    relatedCount: 2,
  });
  expect(entry!["related"].map(({ record }: Wire) => [record.name, record.roleUid])).toEqual([
    ["ann", viewer],
    ["bob", viewer],
  ]);
  expect(entry!["names"]).toMatchObject({ [viewer]: "viewer", [bots[0]!.uid]: "ann" });
  // Found by the person who got the role.
  const { auditEntries } = await world.make(owner, "auditEntries.list", { query: { record: bots[1]!.uid } });
  expect(auditEntries).toEqual([entry]);
});

test("several mappings that are deleted at once are one entry", async () => {
  const provider = ground.places["identityProviders"]!;
  const mappings = [];
  for (const externalGroupId of ["one", "two"])
    mappings.push(
      await world.create(owner, "externalGroupRoleMappings", provider, {
        externalGroupId,
        roleUid: builtInRoleUid("viewer"),
        scope: organization,
      }),
    );
  await fresh();
  const id = "externalGroupRoleMappings.batchDelete";
  await world.make(owner, id, { body: { parent: provider, names: mappings } });
  const [entry, ...none] = await fresh();
  expect(none).toEqual([]);
  expect(entry).toMatchObject({ action: id, actor: { uid: owner.uid }, relatedCount: 2 });
  expect(entry!["related"].map(({ record, change }: Wire) => [record.uid, change]).toSorted()).toEqual(
    mappings.map((uid) => [uid, "deleted"]).toSorted(),
  );
});

test("a test event, and an event that is sent again, are entries about the subscription", async () => {
  const sink = "http://127.0.0.1:9/";
  const uid = await world.create(owner, "subscriptions", folder, { sink });
  await fresh();
  const record = { kind: "subscriptions", uid, name: sink, group: folder };
  const delivery = await world.make(owner, "subscriptions.sendTest", { uid, body: {} });
  expect(await fresh()).toMatchObject([
    { action: "subscriptions.sendTest", actor: { uid: owner.uid }, record },
  ]);
  await world.make(owner, "subscriptions.resend", { uid, body: { delivery: delivery["uid"] } });
  expect(await fresh()).toMatchObject([
    { action: "subscriptions.resend", actor: { uid: owner.uid }, record },
  ]);
});

test("a signed snapshot is an entry about the group, with the digest", async () => {
  const digest = `sha256:${"d".repeat(64)}`;
  await fresh();
  await world.make(owner, "groups.signSnapshot", { uid: folder, body: { digest } });
  const [entry, ...none] = await fresh();
  expect(none).toEqual([]);
  expect(entry).toMatchObject({
    outcome: "OUTCOME_DONE",
    action: "groups.signSnapshot",
    actor: { uid: owner.uid },
    record: { kind: "groups", uid: folder, name: "folder", group: folder },
    changes: [{ field: "digest", after: JSON.stringify(digest) }],
  });
  expect(entry).not.toHaveProperty("change");
});

test("asking for access and declining it are entries about the group, without what was written", async () => {
  const asker = await world.person("asker");
  await fresh();
  const about = { kind: "groups", uid: folder, name: "folder", group: folder };
  await world.make(asker, "groups.requestGroupAccess", { uid: folder, body: { message: "a message" } });
  const asked = await fresh();
  expect(asked).toMatchObject([
    { action: "groups.requestGroupAccess", actor: { uid: asker.uid }, record: about },
  ]);
  const { accessRequests } = await world.make(owner, "accessRequests.list");
  const { uid } = accessRequests[0] as Wire;
  await world.make(owner, "accessRequests.decline", { uid, body: { reason: "a reason" } });
  const declined = await fresh();
  expect(declined).toMatchObject([
    { action: "accessRequests.decline", actor: { uid: owner.uid }, record: about },
  ]);
  expect(JSON.stringify([asked, declined])).not.toMatch(/a message|a reason/);
  // Their own words about themselves are no business of an organization.
  await world.make(asker, "identities.updateIdentityMetadata", {
    body: { identityMetadata: { company: "Acme" } },
  });
  expect(await fresh()).toEqual([]);
});

test("a stranger who gives somebody a role does not learn from where they sign in", async () => {
  const guest = await world.person("guest");
  await world.bind(owner, organization, guest.uid, "owner");
  await fresh();
  const { config, database } = world.service;
  const arrival = { requestId: "r", address: "192.0.2.7", transport: "http" } as const;
  const signIn = async () => {
    await logAct({ config, database, log: createLog("silent") }, arrival, {
      act: "signIn.password",
      subject: "guest",
    });
    return (await fresh()).map(({ action, request }) => [action, request.address]);
  };
  expect(await signIn()).toEqual([]);
  await world.make(guest, "groups.create", { parent: organization, body: { name: "by the guest" } });
  expect((await fresh()).map(({ action }) => action)).toEqual(["groups.create"]);
  expect(await signIn()).toEqual([["signIn.password", "192.0.2.7"]]);
});

test("a redeemed invite is one entry by the newcomer, with what it changed, and without its code", async () => {
  const invite = await world.make(owner, "groupInvites.create", {
    parent: folder,
    body: { roleUid: builtInRoleUid("editor"), ttl: "3600s", singleUse: true },
  });
  const newcomer = await world.person("newcomer");
  const created = await fresh();
  await world.make(newcomer, "groupInvites.register", { body: { code: invite["code"] } });
  const [entry, ...none] = await fresh();
  expect(none).toEqual([]);
  expect(entry).toMatchObject({
    action: "groupInvites.register",
    actor: { uid: newcomer.uid, name: "newcomer" },
  });
  const all = [{ record: entry!["record"], change: entry!["change"] }, ...(entry!["related"] as Wire[])];
  expect(all.map(({ record, change }) => `${record.kind} ${change}`).toSorted()).toEqual([
    "groupInvites deleted",
    "roleBindings created",
  ]);
  expect(JSON.stringify([created, entry])).not.toContain(invite["code"]);
  // Again: it answers, and changes nothing.
  await world.make(newcomer, "groupInvites.register", { body: { code: invite["code"] } });
  expect(await fresh()).toEqual([]);
});

test("each use of an invite that many can use is found by the invite, and a look at it is no entry", async () => {
  const { uid, code } = await world.make(owner, "groupInvites.create", {
    parent: folder,
    body: { roleUid: builtInRoleUid("editor"), ttl: "3600s" },
  });
  await fresh();
  const people = [await world.person("first guest"), await world.person("second guest")];
  for (const person of people) {
    await world.make(person, "groupInvites.register", { body: { code, validateOnly: true } });
    await world.make(person, "groupInvites.register", { body: { code } });
  }
  const query = { record: uid, action: "groupInvites.register", order_by: "created_at" };
  const { auditEntries } = await world.make(owner, "auditEntries.list", { query });
  expect(auditEntries).toEqual(await fresh());
  expect(auditEntries.map(({ actor }: Wire) => actor.uid)).toEqual(people.map((person) => person.uid));
  expect((await verifyLog(world.service.database)).faults).toEqual([]);
});

test("accepted terms, a readme, and a tag that moves are entries with their fields", async () => {
  const room = await world.create(owner, "groups", folder, { name: "room" });
  const document = await world.create(owner, "terms", room, BODIES["terms"]!(world, owner, room));
  const repo = await world.create(owner, "repos", folder, { name: "logged" });
  await world.create(owner, "tags", repo, { name: "latest", digest: `sha256:${"a".repeat(64)}` });
  await fresh();
  await world.make(owner, "terms.accept", { parent: room, body: { documentIds: ["target"] } });
  expect(await fresh()).toMatchObject([
    {
      action: "terms.accept",
      record: { kind: "terms", uid: document, name: "target", group: room },
      changes: [{ field: "accepted", after: "true" }],
    },
  ]);
  await world.make(owner, "repos.updateReadme", { uid: repo, body: { content: "# Hello" } });
  expect(await fresh()).toMatchObject([
    {
      action: "repos.updateReadme",
      record: { uid: repo },
      changes: [{ field: "readme", after: '"# Hello"' }],
    },
  ]);
  await world.create(owner, "tags", repo, { name: "latest", digest: `sha256:${"b".repeat(64)}` });
  expect(await fresh()).toMatchObject([
    { action: "tags.create", change: "updated", changes: [{ field: "digest" }] },
  ]);
  // What goes with a record is counted, and described up to a hundred.
  await world.service.database.query(
    `insert into tags (uid, parent, name, digest, created_at, updated_at)
     select $1 || '/' || lpad(i::text, 16, '0'), $1, 't' || i, 'sha256:x', now(), now() from generate_series(1, 150) i`,
    [repo],
  );
  await world.make(owner, "repos.delete", { uid: repo });
  const [entry, ...none] = await fresh();
  expect(none).toEqual([]);
  expect(entry).toMatchObject({ action: "repos.delete", record: { uid: repo }, relatedCount: 151 });
  expect(entry!["related"]).toHaveLength(100);
});

test("a retention rule that is set, confirmed, stopped and deleted is an entry each about its repo", async () => {
  const repo = await world.create(owner, "repos", folder, { name: "retained" });
  await fresh();
  await world.make(owner, "retentionRules.set", { uid: repo, body: { olderThanDays: 30 } });
  const { previewToken } = await world.make(owner, "retentionDecisions.list", { uid: repo });
  const confirmed = await world.make(owner, "retentionRules.confirm", {
    uid: repo,
    body: { previewToken, version: 1 },
  });
  expect(confirmed).toMatchObject({ confirmedBy: owner.uid, confirmedByName: "owner" });
  await world.make(owner, "retentionRules.stop", { uid: repo, body: {} });
  await world.make(owner, "retentionRules.delete", { uid: repo });
  const about = {
    actor: { uid: owner.uid },
    record: { kind: "repos", uid: repo, name: "retained", group: folder },
  };
  const sentence = JSON.stringify("Deletes tags not updated for 30 days.");
  const state = (name: string) => JSON.stringify(`RETENTION_STATE_${name}`);
  expect(await fresh()).toMatchObject([
    {
      ...about,
      action: "retentionRules.set",
      changes: [
        { field: "retentionRule", after: sentence },
        { field: "retentionState", after: state("UNCONFIRMED") },
        { field: "retentionVersion", after: "1" },
      ],
    },
    {
      ...about,
      action: "retentionRules.confirm",
      changes: [{ field: "retentionState", before: state("UNCONFIRMED"), after: state("RUNNING") }],
    },
    {
      ...about,
      action: "retentionRules.stop",
      changes: [{ field: "retentionState", before: state("RUNNING"), after: state("OFF") }],
    },
    {
      ...about,
      action: "retentionRules.delete",
      changes: [{ field: "retentionRule", before: sentence }, { before: state("OFF") }, { before: "1" }],
    },
  ]);
});

/** Operations that the path does not decide: whether they are refused depends on what they say. */
const ANYWHERE = [
  "eligibleGrants.activate",
  "groupInvites.register",
  "groups.acceptAccess",
  "groups.create",
  "groups.requestGroupAccess",
  "identities.updateIdentityMetadata",
  "noticeSettings.update",
];

test.each(
  endpoints
    .filter((endpoint) => writes(endpoint) && !ANYWHERE.includes(endpoint.id))
    .map((endpoint) => [endpoint.id, endpoint] as const),
)(
  "%s leaves an entry if it is denied, with who, what and where, and without its body",
  async (id, endpoint) => {
    const { collection } = endpoint;
    const stranger = await world.person(`stranger to ${id}`);
    const place = ground.places[collectionAbove(collection)] ?? folder;
    const body = OPERATION_BODIES[id]?.(world, owner, place) ?? BODIES[collection]?.(world, owner, place);
    const uid = `${place}/${"0".repeat(16)}`;
    await fresh();
    const answer = await world.send(stranger.token, id, { uid, parent: place, body });
    expect(answer.status).toBe(403);
    const [entry, ...none] = await fresh();
    expect(none).toEqual([]);
    expect(entry).toMatchObject({
      outcome: "OUTCOME_DENIED",
      reason: "PERMISSION_DENIED",
      action: id,
      actor: { uid: stranger.uid, name: `stranger to ${id}` },
      record: { kind: collection },
      request: { address: "127.0.0.1" },
    });
    expect(entry).not.toHaveProperty("changes");
    expect(entry!["record"].group.startsWith(organization)).toBe(true);
  },
);

test("a conflict and a failed precondition leave an entry; what is invalid or not there leaves none", async () => {
  const repo = { name: "twice" };
  await world.create(owner, "repos", folder, repo);
  await fresh();
  expect((await world.send(owner.token, "repos.create", { parent: folder, body: repo })).status).toBe(409);
  expect(await fresh()).toMatchObject([
    {
      outcome: "OUTCOME_REFUSED",
      reason: "ALREADY_EXISTS",
      action: "repos.create",
      record: { group: folder },
    },
  ]);
  expect((await world.send(owner.token, "groups.delete", { uid: folder })).status).toBe(400);
  expect(await fresh()).toMatchObject([
    { reason: "FAILED_PRECONDITION", action: "groups.delete", record: { uid: folder, name: "folder" } },
  ]);
  const gone = `${folder}/${"0".repeat(16)}`;
  expect((await world.send(owner.token, "repos.delete", { uid: gone })).status).toBe(404);
  expect((await world.send(owner.token, "repos.create", { parent: folder, body: {} })).status).toBe(400);
  expect((await world.send(undefined, "repos.delete", { uid: gone })).status).toBe(401);
  expect(await fresh()).toEqual([]);
});

test("what is denied in an organization that is not there is in no organization's log", async () => {
  const nowhere = "f".repeat(40);
  await world.send(owner.token, "groups.update", { uid: nowhere, body: { name: "x" } });
  const rows = await world.service.database.query("select 1 from audit_heads where chain = $1", [nowhere]);
  expect(rows).toEqual([]);
});

test("many refusals do not lock the caller out", async () => {
  const stranger = await world.person("stranger who insists");
  for (let i = 0; i < 10; i++)
    expect((await world.send(stranger.token, "groups.delete", { uid: folder })).status).toBe(403);
  expect(await world.make(stranger, "groups.list")).toMatchObject({ groups: [] });
  expect(world.service.places().callers.unsent).toBe(0);
});

test("refusals at once do not wait for one another", async () => {
  const body = { name: "made-twice" };
  await world.make(owner, "repos.create", { parent: folder, body });
  const atOnce = (work: () => Promise<{ status: number }>) => Promise.all(Array.from({ length: 12 }, work));
  const again = await atOnce(() => world.send(owner.token, "repos.create", { parent: folder, body }));
  expect(again.map(({ status }) => status)).toEqual(again.map(() => 409));
  const stranger = await world.person("stranger in a hurry");
  const denied = await atOnce(() => world.send(stranger.token, "groups.delete", { uid: folder }));
  expect(denied.map(({ status }) => status)).toEqual(denied.map(() => 403));
  expect(world.service.places().callers.unsent).toBe(0);
});
