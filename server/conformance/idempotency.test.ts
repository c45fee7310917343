import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { endpoints, resources as all } from "platform-contract";
import { pathOf } from "platform-contract/endpoint";
import { shapeOf } from "platform-contract/schema";

import { KEPT_FOR } from "../platform/store/idempotency-keys";
import { sweep } from "../platform/store/maintenance";
import type { Answer } from "../testing/app";
import { GrpcClient } from "../testing/grpc";
import { Ground, onceHidden } from "./ground";
import { collectionAbove, endpointOf, fieldsOf, type Person, type Wire, type World } from "./world";

let ground: Ground;
let world: World;
let owner: Person;
beforeAll(async () => {
  ground = await Ground.open();
  ({ world, owner } = ground);
});
afterAll(() => world.service.stop());

const post = (
  key: string | undefined,
  id: string,
  parent: string,
  body: unknown,
  by: Pick<Person, "token"> = owner,
): Promise<Answer> =>
  world.service.call("POST", pathOf(endpointOf(id), { uid: "", parent, digest: "", artifactId: "" }), {
    token: by.token,
    body,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });

const folders = async (name: string): Promise<Wire[]> =>
  (await world.make(owner, "groups.list", { query: { "uidp.children_of": ground.folder, name } }))["groups"];

const stored = () =>
  world.service.database.query<{ id: string; digest: string; sealed: string }>(
    "select * from idempotency_keys",
  );

describe.each(all.filter((resource) => "create" in resource).map(({ collection }) => collection))(
  "a create of %s",
  (name) => {
    test("with a key takes effect once, and a repetition gets the first answer but for what is shown once", async () => {
      const above = ground.places[collectionAbove(name)] ?? ground.folder;
      const parent = await world.room(owner, name, above);
      const count = async () =>
        (
          await world.make(owner, `${name}.list`, { query: { "uidp.descendants_of": above, page_size: "1" } })
        )["totalCount"];
      const key = `"${randomUUID()}"`;
      const body = ground.samples.get(name)!.made;
      const first = await post(key, `${name}.create`, parent, body);
      expect([first.status, first.json]).toEqual([200, expect.objectContaining({})]);
      const before = await count();
      const again = await post(key, `${name}.create`, parent, body);
      expect([again.status, again.json]).toEqual([200, onceHidden(name, first.json)]);
      expect(await count()).toBe(before);
      await world.make(owner, `${name}.delete`, { uid: String(first.json["uid"]) });
    });
  },
);

test("two requests at a time with one key make one record and get one answer", async () => {
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post(key, "groups.create", ground.folder, { name: "at once" })),
  );
  expect(new Set(answers.map(({ json }) => json["uid"])).size).toBe(1);
  expect(await folders("at once")).toHaveLength(1);
});

test("a key is not used up by a check, and a check by no key", async () => {
  const key = randomUUID();
  const check = () =>
    world.service.call("POST", `/iam/v2/groups/${ground.folder}?validateOnly=true`, {
      token: owner.token,
      body: { name: "checked before" },
      headers: { "idempotency-key": key },
    });
  expect((await check()).json).toEqual({});
  expect(await folders("checked before")).toEqual([]);
  expect((await post(key, "groups.create", ground.folder, { name: "checked before" })).status).toBe(200);
  expect((await check()).json).toEqual({});
  expect(await folders("checked before")).toHaveLength(1);
});

test("a key with another body, another place or another operation is refused, and nothing is created", async () => {
  const key = randomUUID();
  expect((await post(key, "groups.create", ground.folder, { name: "reused" })).status).toBe(200);
  const others = [
    await post(key, "groups.create", ground.folder, { name: "reused too" }),
    await post(key, "groups.create", ground.organization, { name: "reused" }),
    await post(key, "repos.create", ground.folder, { name: "reused" }),
  ];
  for (const refused of others) {
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ["Idempotency-Key"]]);
    expect(refused.json.message).toBe(
      "Invalid argument: Idempotency-Key: this key was already sent with a different request; use a new key for each request",
    );
  }
  expect(await folders("reused too")).toEqual([]);
});

test("the same members in another order are the same request", async () => {
  const key = randomUUID();
  const first = await post(key, "groups.create", ground.folder, { name: "ordered", description: "one" });
  const again = await post(key, "groups.create", ground.folder, { description: "one", name: "ordered" });
  expect(again.json).toEqual(first.json);
});

test("a refused request keeps nothing: its key can be used again", async () => {
  const key = randomUUID();
  expect((await post(key, "groups.create", ground.folder, { name: "" })).status).toBe(400);
  expect((await post(key, "groups.create", ground.folder, { name: "second try" })).status).toBe(200);
});

test("callers never meet each other's keys", async () => {
  const key = randomUUID();
  const other = await world.person("another with the same key");
  const mine = await post(key, "groups.create", "", { name: "mine" });
  const theirs = await post(key, "groups.create", "", { name: "theirs" }, other);
  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(theirs.json["uid"]).not.toBe(mine.json["uid"]);
});

test.each(["short", "x".repeat(256), "with a blank in the key", '"quoted only at the start'])(
  "the key %j is refused",
  async (key) => {
    const refused = await post(key, "groups.create", ground.folder, { name: "odd key" });
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ["Idempotency-Key"]]);
  },
);

test("a code that is shown once is not kept: a repetition says that it was made", async () => {
  const key = randomUUID();
  const body = ground.samples.get("groupInvites")!.made;
  const { json } = await post(key, "groupInvites.create", ground.folder, body);
  const code = String(json["code"]);
  expect(code.length).toBeGreaterThan(10);
  const rows = JSON.stringify(await stored());
  expect(rows).not.toContain(code);
  expect(rows).not.toContain(key);
  const again = await post(key, "groupInvites.create", ground.folder, body);
  expect([again.status, again.json["keyId"], "code" in again.json]).toEqual([200, json["keyId"], false]);
});

test("a SCIM token is in one answer only, whether it was generated or regenerated", async () => {
  const uid = await world.create(
    owner,
    "identityProviders",
    ground.folder,
    ground.samples.get("identityProviders")!.made,
  );
  const issue = (verb: string, key: string, body: Wire) =>
    world.service.call("POST", `/iam/v2/identityProviders/${uid}:${verb}`, {
      token: owner.token,
      body,
      headers: { "idempotency-key": key },
    });
  for (const [verb, body] of [
    ["generateScimToken", {}],
    ["regenerateScimToken", { etag: "2" }],
  ] as const) {
    const key = randomUUID();
    const first = await issue(verb, key, body);
    const { token, ...rest } = first.json;
    expect([first.status, String(token).length]).toEqual([200, 71]);
    const again = await issue(verb, key, body);
    expect([again.status, again.json]).toEqual([200, rest]);
    await world.make(owner, "identityProviders.revokeScimToken", { uid });
    expect((await issue(verb, key, body)).json).toEqual(rest);
  }
});

test("every answer with a secret says that it is shown once", () => {
  const secrets = endpoints
    .filter(({ method, isToken }) => method === "POST" && !isToken)
    .flatMap(({ id, answer, shownOnce = [] }) =>
      Object.keys((answer && shapeOf(answer)) ?? {})
        .filter((name) => /^(?:code|token|password|.*secret.*)$/i.test(name))
        .map((name) => [`${id} ${name}`, shownOnce.includes(name)]),
    );
  expect(Object.fromEntries(secrets)).toEqual({
    "groupInvites.create code": true,
    "identityProviders.generateScimToken token": true,
    "identityProviders.regenerateScimToken token": true,
  });
});

test("a key is forgotten after a day, and the sweep removes it", async () => {
  const { database } = world.service;
  const [old, young] = [randomUUID(), randomUUID()];
  const send = (key: string) => post(key, "groups.create", ground.folder, { name: "for a day" });
  const first = await send(old);
  await database.query("update idempotency_keys set created_at = $1", [new Date(Date.now() - KEPT_FOR)]);
  const next = await send(old);
  expect([next.status, next.json["uid"] === first.json["uid"]]).toEqual([200, false]);
  await database.query("update idempotency_keys set created_at = $1", [new Date(Date.now() - KEPT_FOR)]);
  await send(young);
  await sweep(database);
  expect(await stored()).toHaveLength(1);
});

test("over gRPC the key is metadata, and one key counts on both transports", async () => {
  const client = new GrpcClient(world.service.url);
  const headers = { "idempotency-key": randomUUID() };
  const create = async (name: string) =>
    (
      await client.call(
        "iam.v2.GroupsService/CreateGroup",
        { parent: ground.folder, group: { name } },
        { token: owner.token, headers },
      )
    ).message["uid"];
  try {
    const uid = await create("over grpc");
    expect(await create("over grpc")).toBe(uid);
    const { json } = await post(headers["idempotency-key"], "groups.create", ground.folder, {
      name: "over grpc",
    });
    expect(json["uid"]).toBe(uid);
    await expect(create("another")).rejects.toThrow("this key was already sent with a different request");
  } finally {
    client.close();
  }
});

test("every POST says in the OpenAPI document that it takes a key, and no other operation does", async () => {
  const { paths } = (await world.service.call("GET", "/openapi.json")).json as unknown as {
    paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
  };
  const taking = Object.values(paths)
    .flatMap(Object.entries)
    .filter(([, { parameters }]) =>
      parameters.some(({ name }: { name: string }) => name === "Idempotency-Key"),
    )
    .map(([method]) => method);
  expect(new Set(taking)).toEqual(new Set(["post"]));
  expect(taking.length).toBeGreaterThanOrEqual(
    new Set(endpoints.filter(({ method }) => method === "POST").map(({ path }) => path)).size,
  );
});
