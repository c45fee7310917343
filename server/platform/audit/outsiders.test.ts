import { afterAll, beforeAll, expect, test } from "vitest";

import { createLog } from "../../log";
import { createRefusalLog } from "./refusals";
import { openLogged } from "./testing";

let { world, owner, organization, folder, fresh } = {} as Awaited<ReturnType<typeof openLogged>>;
beforeAll(async () => {
  ({ world, owner, organization, folder, fresh } = await openLogged());
});
afterAll(() => world.service.stop());

const create = (token: string, name: string) =>
  world.send(token, "repos.create", { parent: folder, body: { name } });

test("thirty refusals of somebody without a role are one entry at once; those of a member are one each", async () => {
  const stranger = await world.person("outsider");
  const member = await world.person("member");
  await world.bind(owner, organization, member.uid, "viewer");
  await fresh();
  for (let turn = 0; turn < 30; turn += 1)
    expect((await create(stranger.token, `repo-${turn}`)).status).toBe(403);
  // What they try makes no difference.
  expect((await world.send(stranger.token, "groups.delete", { uid: folder })).status).toBe(403);
  for (let turn = 0; turn < 3; turn += 1)
    expect((await create(member.token, `repo-${turn}`)).status).toBe(403);
  const entries = await fresh();
  expect(entries.map(({ action, actor }) => [action, actor.name])).toEqual([
    ["repos.create", "outsider"],
    ...Array.from({ length: 3 }, () => ["repos.create", "member"]),
  ]);
});

const refused = (subject: string, organizations: readonly string[] = []) => ({
  endpoint: { id: "repos.create", collection: "repos" },
  path: { parent: folder },
  caller: { issuer: "https://issuer.example", subject, identity: subject },
  arrival: { requestId: "r", address: "192.0.2.7", transport: "http" } as const,
  reason: "PERMISSION_DENIED",
  organizations: new Set(organizations),
});

test("the rest of the hour is one entry with the number, in the log of the organization", async () => {
  const log = createRefusalLog(world.service.database, createLog("silent"));
  await fresh();
  for (let turn = 0; turn < 30; turn += 1) await log.log(refused("stranger"));
  await log.log(refused("another one"));
  expect(await fresh()).toMatchObject([{ action: "repos.create" }, { action: "repos.create" }]);
  await log.end();
  const [rest, ...none] = await fresh();
  expect(none).toEqual([]);
  expect(rest).toMatchObject({
    action: "refusals.repeated",
    outcome: "OUTCOME_DENIED",
    actor: { subject: "stranger" },
    record: { kind: "groups", uid: organization },
    changes: [
      { field: "count", after: "29" },
      { field: "since" },
      { field: "lastAction", after: '"repos.create"' },
    ],
  });
  // Told once.
  await log.end();
  expect(await fresh()).toEqual([]);
});

test("a refusal that could not be logged is none that was: the next one is an entry", async () => {
  const { database } = world.service;
  let broken = true;
  const log = createRefusalLog(
    {
      ...database,
      transaction: (work, origin) =>
        broken ? Promise.reject(new Error("no room")) : database.transaction(work, origin),
    },
    createLog("silent"),
  );
  await expect(log.log(refused("unlucky"))).rejects.toThrow("no room");
  broken = false;
  await log.log(refused("unlucky"));
  expect(await fresh()).toMatchObject([{ actor: { subject: "unlucky" } }]);
});

test("names and user agents are cut at 200 bytes, between characters", async () => {
  const name = `n${"é".repeat(150)}`;
  const headers = { "user-agent": "x".repeat(5_000) };
  const long = await world.person("long");
  await world.service.database.query("update identities set name = $2 where uid = $1", [long.uid, name]);
  await world.bind(owner, organization, long.uid, "viewer");
  await world.service.call("POST", `/registry/v2/repos/${folder}`, {
    token: owner.token,
    headers,
    body: { name: "cut" },
  });
  const entries = await fresh();
  const text = JSON.stringify(entries);
  expect(text).toContain(`"n${"é".repeat(99)}"`);
  expect(text).not.toContain("é".repeat(100));
  expect(Math.max(...entries.map(({ request }) => request.userAgent?.length ?? 0))).toBe(200);
});
