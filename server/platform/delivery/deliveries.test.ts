import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { TEST_EVENT } from "platform-contract/events/deliveries";
import { KEPT } from "platform-contract/events/pending";

import { World, type Person, type Wire } from "../../conformance/world";
import { sweepDeliveries } from "../../domains/events/deliveries.table";
import { startReceiver, type Receiver } from "../../testing/receiver";
import { dropOldest } from "./attempts";

let world: World;
let owner: Person;
let organization: string;
const open: Receiver[] = [];

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "organization" });
});
afterAll(() => world.service.stop());
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
  await world.service.database.query("delete from subscriptions");
});

async function receiver(options: Parameters<typeof startReceiver>[0] = {}): Promise<Receiver> {
  const made = await startReceiver({ issuer: world.service.config.issuer, ...options });
  open.push(made);
  return made;
}
const patiently = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });
const place = (name = "place") => world.create(owner, "groups", organization, { name });
const subscribe = async (sink: string, parent?: string) =>
  world.create(owner, "subscriptions", parent ?? (await place()), { sink });
const list = (uid: string, query: Record<string, string> = {}, by = owner): Promise<Wire> =>
  world.make(by, "deliveries.list", { uid, query });
const rows = async (uid: string, query: Record<string, string> = {}) =>
  (await list(uid, query))["deliveries"] as Wire[];
const resend = (uid: string, delivery: string) =>
  world.make(owner, "subscriptions.resend", { uid, body: { delivery } });
const sendTest = (uid: string) => world.make(owner, "subscriptions.sendTest", { uid, body: {} });

test("a delivery says when it arrived and with which status, and nothing of the response or the event", async () => {
  const sink = await receiver({
    behave: (response) => (response.writeHead(201).end("the response is a secret"), true),
  });
  const uid = await subscribe(sink.url);
  await patiently(async () =>
    expect((await rows(uid))[0]).toMatchObject({ state: "DELIVERY_STATE_DELIVERED" }),
  );
  const answer = await list(uid);
  expect(answer).toMatchObject({ totalCount: "1", skipped: 0 });
  expect(answer["deliveries"]).toEqual([
    {
      uid: expect.stringMatching(/^[0-9a-f]{8}-/),
      type: "dev.chainguard.api.events.subscription.created.v1",
      subject: uid,
      state: "DELIVERY_STATE_DELIVERED",
      createTime: expect.any(String),
      attemptCount: 1,
      attempts: [{ time: expect.any(String), milliseconds: expect.any(Number), status: 201 }],
      endTime: expect.any(String),
    },
  ]);
  expect(JSON.stringify(answer)).not.toContain("secret");
});

test("one that fails says why and when it is tried next; sent again, it arrives under its id with all its attempts", async () => {
  let works = false;
  const ids: string[] = [];
  const sink = await receiver({
    behave: (response, id) => {
      ids.push(id);
      if (!works) response.writeHead(503).end();
      return !works;
    },
  });
  const uid = await subscribe(sink.url);
  await patiently(async () => expect((await rows(uid))[0]).toMatchObject({ state: "DELIVERY_STATE_FAILED" }));
  const [failed] = await rows(uid);
  expect(failed).toMatchObject({ nextTime: expect.any(String), attempts: [{ status: 503 }] });
  // An hour from now, as after many attempts: only the request makes it due.
  const later = new Date(Date.now() + 3_600_000);
  const held = () =>
    world.service.database.query<{ n: number }>(
      `update event_deliveries set next_at = $2 where subscription_uid = $1 and held_until is null returning 1 as n`,
      [uid, later],
    );
  await patiently(async () => expect(await held()).toHaveLength(1));
  works = true;
  const again = await resend(uid, failed!["uid"]);
  expect(again).toMatchObject({ uid: failed!["uid"], state: "DELIVERY_STATE_WAITING" });
  await patiently(async () =>
    expect((await rows(uid))[0]).toMatchObject({ state: "DELIVERY_STATE_DELIVERED" }),
  );
  const [arrived] = await rows(uid);
  const statuses = (arrived!["attempts"] as Wire[]).map(({ status }) => status);
  expect([statuses[0], statuses.at(-1)]).toEqual([503, 204]);
  expect(arrived).toMatchObject({ attemptCount: statuses.length, createTime: failed!["createTime"] });
  expect(new Set(ids)).toEqual(new Set([failed!["uid"]]));

  // What has arrived can be sent again as well.
  const before = sink.requests();
  await resend(uid, failed!["uid"]);
  await patiently(() => expect(sink.requests()).toBe(before + 1));
  await patiently(async () =>
    expect((await rows(uid))[0]).toMatchObject({
      state: "DELIVERY_STATE_DELIVERED",
      attemptCount: statuses.length + 1,
    }),
  );
});

test("failures that a success follows do not add up", async () => {
  let works = true;
  const sink = await receiver({
    behave: (response) => {
      if (!works) response.writeHead(503).end();
      return !works;
    },
  });
  const uid = await subscribe(sink.url);
  const known = () =>
    world.service.database.query<{ works: boolean; failures: number }>(
      "select works, failures from event_sinks where subscription_uid = $1",
      [uid],
    );
  await patiently(async () => expect(await known()).toEqual([{ works: true, failures: 0 }]));
  works = false;
  await sendTest(uid);
  await patiently(async () => expect((await known())[0]!.failures).toBeGreaterThan(0));
  works = true;
  await patiently(async () => expect(await known()).toEqual([{ works: true, failures: 0 }]));
});

test("network errors are words without an address", async () => {
  const gone = await startReceiver();
  await gone.stop();
  const uid = await subscribe(`${gone.url}/path`);
  await patiently(async () =>
    expect((await rows(uid))[0]).toMatchObject({ attempts: [{ error: "the connection was refused" }] }),
  );
  expect(JSON.stringify(await rows(uid))).not.toContain("127.0.0.1");
});

test("a redirect and a cut connection are named", async () => {
  for (const [behave, error] of [
    [
      (response: any) => (response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(), true),
      "the response was a redirect, which is not followed",
    ],
    [
      (response: any) => (response.socket.destroy(), true),
      "the connection was closed before there was a response",
    ],
  ] as const) {
    const sink = await receiver({ behave });
    const uid = await subscribe(sink.url);
    await patiently(async () => expect((await rows(uid))[0]).toMatchObject({ attempts: [{ error }] }));
  }
});

test("what somebody sends again goes first, though the sink rests after failures", async () => {
  const tried: string[] = [];
  const sink = await receiver({
    behave: (response, id) => {
      tried.push(id);
      response.writeHead(500).end();
      return true;
    },
  });
  const uid = await subscribe(sink.url);
  await patiently(() => expect(tried).toHaveLength(1));
  const first = tried[0]!;
  await patiently(async () => expect((await rows(uid))[0]).toMatchObject({ state: "DELIVERY_STATE_FAILED" }));
  const test = (await sendTest(uid))["uid"] as string;
  await patiently(() => expect(tried).toContain(test));
  const { database } = world.service;
  const settled = () =>
    patiently(async () =>
      expect(
        await database.query(
          "select 1 from event_deliveries where subscription_uid = $1 and held_until > now()",
          [uid],
        ),
      ).toEqual([]),
    );
  await settled();
  // As after many failures: an hour of rest, and the other event long due.
  await database.query(
    "update event_sinks set rests_until = now() + interval '1 hour' where subscription_uid = $1",
    [uid],
  );
  await database.query(
    "update event_deliveries set next_at = now() + interval '1 hour' - interval '2 hours' * (event_id = $2)::int where subscription_uid = $1",
    [uid, first],
  );
  const before = tried.length;
  await resend(uid, test);
  await patiently(() => expect(tried.slice(before)).toEqual([test]));
});

test("a test event arrives signed and marked, and only one of them waits", async () => {
  const sink = await receiver();
  const parent = await place("tested");
  const uid = await subscribe(sink.url, parent);
  await patiently(() => expect(sink.arrived).toHaveLength(1));
  const made = await sendTest(uid);
  expect(made).toMatchObject({ type: TEST_EVENT, subject: uid, state: "DELIVERY_STATE_WAITING" });
  await patiently(() => expect(sink.arrived).toHaveLength(2));
  const { event, headers, claims } = sink.arrived[1]!;
  expect(headers).toMatchObject({
    "ce-id": made["uid"],
    "ce-type": TEST_EVENT,
    "ce-subject": uid,
    "ce-group": parent,
    "ce-audience": "customer",
    "ce-actor": owner.uid,
  });
  expect(claims).toMatchObject({ sub: `webhook:${parent}`, aud: "customer" });
  expect(event.data).toMatchObject({ body: { uid, test: true } });
  expect(sink.refused).toEqual([]);

  const dead = await subscribe("http://127.0.0.1:9/", await place("dead"));
  const first = await sendTest(dead);
  expect((await sendTest(dead))["uid"]).toBe(first["uid"]);
  expect(await list(dead, { type: TEST_EVENT })).toMatchObject({ totalCount: "1" });
});

test("the list is filtered by type and state, and its pages hold every delivery once", async () => {
  const { database } = world.service;
  const uid = await subscribe("http://127.0.0.1:9/");
  await database.query("delete from event_deliveries where subscription_uid = $1", [uid]);
  const at = new Date();
  await database.query(
    `insert into ended_deliveries
       (subscription_uid, event_id, event, type, subject, state, history, attempts, created_at, ended_at)
     select $1, 'ended-' || n, '{}', case when n % 2 = 0 then 'even' else 'odd' end, '', 'DELIVERY_STATE_GIVEN_UP', '[]', 3,
       $2::timestamptz - n % 3 * interval '1 second', $2 from generate_series(1, 7) n`,
    [uid, at],
  );
  await database.query(
    `insert into event_deliveries (subscription_uid, event_id, event, type, next_at, created_at)
     select $1, 'waits-' || n, '{}', 'even', $2::timestamptz + interval '1 hour', $2 from generate_series(1, 5) n`,
    [uid, at],
  );
  for (const query of [{}, { order_by: "uid" }, { order_by: "created_at" }] as Record<string, string>[]) {
    const found: string[] = [];
    let token = "";
    do {
      const page = await list(uid, { ...query, page_size: "5", ...(token && { page_token: token }) });
      expect(page["totalCount"]).toBe("12");
      found.push(...(page["deliveries"] as Wire[]).map((row) => row["uid"] as string));
      token = page["nextPageToken"] ?? "";
    } while (token);
    expect([found.length, new Set(found).size]).toEqual([12, 12]);
  }
  expect(await list(uid, { type: "even", state: "DELIVERY_STATE_GIVEN_UP" })).toMatchObject({
    totalCount: "3",
  });
  expect(await list(uid, { state: "DELIVERY_STATE_WAITING" })).toMatchObject({ totalCount: "5" });
  const other = await subscribe("http://127.0.0.1:9/", await place("other"));
  const { nextPageToken } = await list(uid, { page_size: "5" });
  const stolen = { page_size: "5", page_token: nextPageToken as string };
  // A token of another list starts from the beginning.
  expect((await rows(other, stolen)).map(({ subject }) => subject)).toEqual([other]);
  expect((await world.send(owner.token, "deliveries.list", { uid, query: { state: "LOST" } })).status).toBe(
    400,
  );
});

test("whoever reads the subscription reads its deliveries; to send takes the right to update it, and is logged", async () => {
  const parent = await place("shared");
  const uid = await subscribe("http://127.0.0.1:9/", parent);
  const viewer = await world.person("viewer");
  await world.bind(owner, parent, viewer.uid, "viewer");
  const [row] = (await list(uid, {}, viewer))["deliveries"] as Wire[];
  const stranger = await world.person("stranger");
  const statusOf = async (by: Person, id: string, body?: unknown) =>
    (await world.send(by.token, id, { uid, body })).status;
  const one = { delivery: String(row!["uid"]) };
  expect(await list(uid, one, viewer)).toMatchObject({ deliveries: [{ uid: row!["uid"] }], totalCount: "1" });
  expect(await rows(uid, { delivery: randomUUID() })).toEqual([]);
  const other = await subscribe("http://127.0.0.1:9/", await place("not its own"));
  expect(await rows(other, one)).toEqual([]);
  expect((await world.send(owner.token, "deliveries.list", { uid, query: { delivery: "x" } })).status).toBe(
    400,
  );
  expect(await statusOf(stranger, "deliveries.list")).toBe(403);
  for (const by of [viewer, stranger]) {
    expect(await statusOf(by, "subscriptions.sendTest", {})).toBe(403);
    expect(await statusOf(by, "subscriptions.resend", { delivery: row!["uid"] })).toBe(403);
  }
  expect(await statusOf(owner, "subscriptions.resend", { delivery: randomUUID() })).toBe(404);
  expect(await statusOf(owner, "subscriptions.resend", { delivery: "x" })).toBe(400);
  await sendTest(uid);
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { record: uid, action: "subscriptions.sendTest", outcome: "OUTCOME_DONE" },
  });
  expect(auditEntries).toMatchObject([{ actor: { uid: owner.uid }, record: { kind: "subscriptions", uid } }]);
});

test("a request that is repeated with its key sends once and leaves one entry", async () => {
  const sink = await receiver();
  const uid = await subscribe(sink.url, await place("repeated"));
  await patiently(() => expect(sink.arrived).toHaveLength(1));
  const path = `/events-log/v1/subscriptions/${uid}:sendTest`;
  const headers = { "idempotency-key": `"${randomUUID()}"` };
  const once = () => world.service.call("POST", path, { token: owner.token, body: {}, headers });
  const first = await once();
  await patiently(() => expect(sink.arrived).toHaveLength(2));
  expect((await once()).json).toEqual(first.json);
  expect(await list(uid, { type: TEST_EVENT })).toMatchObject({ totalCount: "1" });
  const query = { record: uid, action: "subscriptions.sendTest" };
  expect(await world.make(owner, "auditEntries.list", { query })).toMatchObject({ totalCount: "1" });
});

test("nothing is added to a full queue", async () => {
  const uid = await subscribe("http://127.0.0.1:9/");
  await world.service.database.query(
    `insert into event_sinks as k (subscription_uid, full_since) values ($1, now())
     on conflict (subscription_uid) do update set full_since = now()`,
    [uid],
  );
  const answer = await world.send(owner.token, "subscriptions.sendTest", { uid, body: {} });
  expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringContaining("QUEUE_FULL")]);
});

test("of what has ended, the newest are kept for some days, and nothing of a deleted subscription", async () => {
  const { database } = world.service;
  const [uid, gone] = [await subscribe("http://127.0.0.1:9/"), `${organization}/${"1".repeat(16)}`];
  const put = (to: string, count: number, days: number) =>
    database.query(
      `insert into ended_deliveries
         (subscription_uid, event_id, event, type, subject, state, history, attempts, created_at, ended_at)
       select $1, $3 || '-' || n, '{}', 't', '', 'DELIVERY_STATE_DELIVERED', '[]', 1, now(),
         now() - $3::int * interval '1 day' - n * interval '1 second' from generate_series(1, $2::int) n`,
      [to, count, days],
    );
  const ended = async (of: string) =>
    (
      await database.query<{ id: string }>(
        "select event_id as id from ended_deliveries where subscription_uid = $1 order by ended_at desc",
        [of],
      )
    ).map(({ id }) => id);
  await put(uid, 8, 1);
  await dropOldest(database, uid, 5);
  expect(await ended(uid)).toEqual([1, 2, 3, 4, 5].map((n) => `1-${n}`));
  await dropOldest(database, uid, 5);
  expect(await ended(uid)).toHaveLength(5);
  await put(uid, 2, KEPT.days + 1);
  await put(gone, 2, 1);
  await sweepDeliveries(database);
  expect([await ended(uid), await ended(gone)]).toEqual([[1, 2, 3, 4, 5].map((n) => `1-${n}`), []]);
});
