import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { endpoints } from "platform-contract";
import { JUSTIFICATION_CHARACTERS } from "platform-contract/audit/justification";
import { pathOf } from "platform-contract/endpoint";

import { builtInRoleUid } from "../../domains/access/roles.table";
import { changeable } from "../../conformance/ground";
import {
  collectionAbove,
  endpointOf,
  fieldsOf,
  type Input,
  type Person,
  type Wire,
} from "../../conformance/world";
import { GrpcClient } from "../../testing/grpc";
import { writes } from "./writes";
import { openLogged } from "./testing";
import { verifyLog } from "./verify";

let { ground, world, owner, organization, folder, fresh } = {} as Awaited<ReturnType<typeof openLogged>>;
beforeAll(async () => {
  ({ ground, world, owner, organization, folder, fresh } = await openLogged());
});
afterAll(() => world.service.stop());

/** A call with the header as it is given here. */
const send = (
  id: string,
  input: Input,
  header: string,
  by: Person = owner,
  more: Record<string, string> = {},
) => {
  const { uid = "", parent = "", body, query = {} } = input;
  const endpoint = endpointOf(id);
  const search = new URLSearchParams(query).toString();
  const path = pathOf(endpoint, { uid, parent, digest: "", artifactId: "" }) + (search && `?${search}`);
  const headers = { ...more, "change-justification": header };
  return world.service.call(endpoint.method, path, {
    token: by.token,
    headers,
    ...(endpoint.body && { body }),
  });
};

const createFolder = (name: string, header: string, by?: Person, more?: Record<string, string>) =>
  send("groups.create", { parent: folder, body: { name } }, header, by, more);

const WORDS = "Ticket 4711: Zoë übernimmt 🚀, 100% + ja; <b>not</b> HTML";

test("the entry of a change has the words, and the log still verifies", async () => {
  await fresh();
  const made = await createFolder("with words", encodeURIComponent(WORDS));
  expect(made.status).toBe(200);
  const uid = String(made.json["uid"]);
  await send(
    "groups.update",
    { uid, body: { name: "renamed" }, query: { updateMask: "name" } },
    "plain words",
  );
  await send("groups.delete", { uid }, " %20trimmed%20 ");
  await createFolder("without", "");
  expect((await fresh()).map((entry) => [entry["action"], entry["justification"]])).toEqual([
    ["groups.create", WORDS],
    ["groups.update", "plain words"],
    ["groups.delete", "trimmed"],
    ["groups.create", undefined],
  ]);
  expect((await verifyLog(world.service.database)).faults).toEqual([]);
  // It is in the text that is hashed.
  const rows = await world.service.database.query<{ entry: string }>(
    "select entry from audit_entries where chain = $1 and action = 'groups.update'",
    [organization],
  );
  expect(JSON.parse(rows.at(-1)!.entry)["justification"]).toBe("plain words");
});

test.each([
  ["too long", "x".repeat(JUSTIFICATION_CHARACTERS + 1)],
  [
    "too long in characters that take two units",
    encodeURIComponent("🚀".repeat(JUSTIFICATION_CHARACTERS + 1)),
  ],
  ["a percent sign alone", "100% sure"],
  ["octets that are no UTF-8", "%ff%fe"],
  ["a surrogate in UTF-8", "%ed%a0%80"],
  ["an overlong encoding", "%c0%af"],
  ["Latin-1", "Zo\u00eb"],
  ["line breaks", "one%0D%0Atwo"],
  ["a line break at the beginning", "%0Aone"],
  ["a line separator", "one%E2%80%A8two"],
  ["NUL", "a%00b"],
  ["an escape sequence", "%1b[31mred"],
  ["a C1 control character", "a%C2%9Bb"],
])("%s is refused, and nothing is written", async (_what, header) => {
  await fresh();
  const refused = await createFolder("never made", header);
  expect([refused.status, fieldsOf(refused)]).toEqual([400, ["Change-Justification"]]);
  const query = { "uidp.children_of": folder, name: "never made" };
  expect((await world.make(owner, "groups.list", { query }))["groups"]).toEqual([]);
  expect(await fresh()).toEqual([]);
});

test("five hundred characters of any kind are kept whole", async () => {
  await fresh();
  const words = "🚀".repeat(JUSTIFICATION_CHARACTERS);
  expect((await createFolder("long words", encodeURIComponent(words))).status).toBe(200);
  expect(await fresh()).toMatchObject([{ justification: words }]);
});

test("a raw line break ends the header: the service never sees what comes after it as words", async () => {
  const { hostname, port } = new URL(world.service.url);
  const body = JSON.stringify({ name: "split" });
  const lines = [
    `POST /iam/v2/groups/${folder} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${owner.token}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Change-Justification: one\n two",
    "Connection: close",
  ];
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`),
    );
    let text = "";
    socket.on("data", (part) => (text += String(part)));
    socket.on("close", () => resolve(text)).on("error", reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test("a denied and a refused write have the words of who tried", async () => {
  const stranger = await world.person("outsider with words");
  await fresh();
  expect((await createFolder("denied", "let%20me", stranger)).status).toBe(403);
  const role = { identityUid: owner.uid, roleUid: builtInRoleUid("owner") };
  const twice = await send("roleBindings.create", { parent: organization, body: role }, "once%20more");
  expect(twice.status).toBe(409);
  // Whoever may not write is told that first, and the attempt is in the log.
  const member = await world.person("member with words");
  await world.bind(owner, organization, member.uid, "viewer");
  const denied = await send("repos.create", { parent: folder, body: { name: "denied" } }, "%ff", member);
  expect(denied.status).toBe(403);
  const entries = (await fresh()).filter(({ outcome }) => outcome !== "OUTCOME_DONE");
  expect(entries.map((entry) => [entry["outcome"], entry["justification"]])).toEqual([
    ["OUTCOME_DENIED", "let me"],
    ["OUTCOME_REFUSED", "once more"],
    ["OUTCOME_DENIED", undefined],
  ]);
});

test.each(["roles", "roleBindings", "groupInvites", "externalGroupRoleMappings", "identities"])(
  "each change of %s has its own words",
  async (collection) => {
    const sample = ground.samples.get(collection)!;
    const parent = ground.places[collectionAbove(collection)]!;
    await fresh();
    const made = await send(`${collection}.create`, { parent, body: sample.made }, "made");
    const uid = String(made.json["uid"]);
    const { other } = changeable(collection, sample);
    await send(`${collection}.update`, { uid, body: other }, "changed");
    await send(`${collection}.delete`, { uid }, "deleted");
    expect((await fresh()).map((entry) => [entry["action"], entry["justification"]])).toEqual([
      [`${collection}.create`, "made"],
      [`${collection}.update`, "changed"],
      [`${collection}.delete`, "deleted"],
    ]);
  },
);

test("a declined request, a used invite and mappings deleted at once have it in their entry", async () => {
  const asker = await world.person("asker with words");
  await world.make(asker, "groups.requestGroupAccess", { uid: organization, body: {} });
  const [asked] = (await world.make(owner, "accessRequests.list"))["accessRequests"] as Wire[];
  const invite = { roleUid: builtInRoleUid("viewer"), ttl: "3600s", singleUse: true };
  const { code } = await world.make(owner, "groupInvites.create", { parent: folder, body: invite });
  const provider = ground.places["identityProviders"]!;
  const mapping = ground.samples.get("externalGroupRoleMappings")!.made;
  const names = [await world.create(owner, "externalGroupRoleMappings", provider, mapping)];
  await fresh();
  await send("accessRequests.decline", { uid: asked!["uid"], body: { reason: "told" } }, "declined");
  await send("groupInvites.register", { body: { code } }, "joined", asker);
  const batch = { body: { parent: provider, names } };
  await send("externalGroupRoleMappings.batchDelete", batch, "unmapped");
  expect((await fresh()).map((entry) => [entry["action"], entry["justification"]])).toEqual([
    ["accessRequests.decline", "declined"],
    ["groupInvites.register", "joined"],
    ["externalGroupRoleMappings.batchDelete", "unmapped"],
  ]);
});

test("many at once have it in their entry", async () => {
  const bots = [await world.person("first of two"), await world.person("second of two")];
  await fresh();
  const requests = bots.map(({ uid }) => ({ roleBinding: { identityUid: uid } }));
  const body = { parent: folder, requests, roleUid: builtInRoleUid("viewer") };
  expect((await send("roleBindings.batchCreate", { parent: folder, body }, "on%20call")).status).toBe(200);
  expect(await fresh()).toMatchObject([
    { action: "roleBindings.batchCreate", relatedCount: 2, justification: "on call" },
  ]);
});

test("a read ignores it, whatever it says", async () => {
  await fresh();
  expect((await send("groups.list", { query: { page_size: "1" } }, "%ff")).status).toBe(200);
  expect((await send("groups.get", { uid: folder }, "x".repeat(2_000))).status).toBe(200);
  expect(await fresh()).toEqual([]);
});

test("with one key and other words a request is another one, and its words are not lost in silence", async () => {
  await fresh();
  const key = { "idempotency-key": randomUUID() };
  const first = await createFolder("keyed", "first", owner, key);
  const again = await createFolder("keyed", "first", owner, key);
  expect(again.json).toEqual(first.json);
  const other = await createFolder("keyed", "second", owner, key);
  expect([other.status, fieldsOf(other)]).toEqual([400, ["Idempotency-Key"]]);
  expect(await fresh()).toMatchObject([{ justification: "first" }]);
});

test("over gRPC it is metadata of the same name", async () => {
  const client = new GrpcClient(world.service.url);
  const create = (name: string, header: string) =>
    client.call(
      "iam.v2.GroupsService/CreateGroup",
      { parent: folder, group: { name } },
      { token: owner.token, headers: { "change-justification": header } },
    );
  try {
    await fresh();
    await create("over grpc", encodeURIComponent(WORDS));
    await expect(create("never over grpc", "one%0Atwo")).rejects.toThrow("Change-Justification");
    const [entry, ...none] = await fresh();
    expect(none).toEqual([]);
    expect(entry).toMatchObject({ justification: WORDS, request: { transport: "grpc" } });
    const { message } = await client.call(
      "audit.v1.AuditEntriesService/GetAuditEntry",
      { uid: (entry as Wire)["uid"] },
      { token: owner.token },
    );
    expect(message["justification"]).toBe(WORDS);
  } finally {
    client.close();
  }
});

test("every write says in the OpenAPI document that it takes words, and no read does", async () => {
  const { paths } = (await world.service.call("GET", "/openapi.json")).json as unknown as {
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>;
  };
  const operations = Object.values(paths).flatMap(Object.values);
  for (const { operationId, parameters } of operations) {
    const endpoint = endpoints.find(({ id }) => id === operationId.replace(/AtRoot$/, ""))!;
    const takes = parameters.some(({ name }: { name: string }) => name === "Change-Justification");
    expect([operationId, takes]).toEqual([operationId, writes(endpoint)]);
  }
});

test("another origin's console may send it", async () => {
  const origin = new URL(world.service.config.consoleUrls[0]!).origin;
  const headers = { origin, "access-control-request-method": "POST" };
  const answer = await world.service.call("OPTIONS", `/iam/v2/groups/${folder}`, { headers });
  expect(answer.headers["access-control-allow-headers"]).toContain("change-justification");
});
