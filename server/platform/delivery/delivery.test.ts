import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { parentOf } from "platform-contract/aip";
import { PENDING } from "platform-contract/events/pending";

import { World, type Person } from "../../conformance/world";
import { createLog } from "../../log";
import { outbound } from "../../outbound";
import type { Database } from "../store/database";
import { openMigrated } from "../../testing/database";
import { startReceiver, type Receiver } from "../../testing/receiver";
import { startDispatcher, TIMES, type Dispatcher } from "./dispatcher";
import { withEvents } from "./outbox";
import { createSend } from "./send";

let world: World;
let owner: Person;
let organization: string;
const open: (Receiver | Dispatcher)[] = [];
let alone: Database | undefined;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "organization" });
});
afterAll(async () => {
  await alone?.close();
  await world.service.stop();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
  const { database } = world.service;
  await database.query("delete from subscriptions");
  await database.query("delete from event_deliveries");
});

async function receiver(options: Parameters<typeof startReceiver>[0] = {}): Promise<Receiver> {
  const made = await startReceiver({ issuer: world.service.config.issuer, ...options });
  open.push(made);
  return made;
}
const group = (name: string, parent = organization) => world.create(owner, "groups", parent, { name });
const subscribe = (parent: string, sink: string) => world.create(owner, "subscriptions", parent, { sink });
const patiently = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });
const waiting = async () => (await world.service.database.query("select 1 from event_deliveries")).length;
const subjects = ({ arrived }: Receiver) => arrived.map(({ event }) => String(event.subject));

test("an event arrives in binary mode, signed for the group that subscribes, and is then forgotten", async () => {
  const place = await group("place");
  const sink = await receiver();
  await subscribe(place, `${sink.url}/hook?secret=1`);
  await patiently(() => expect(sink.arrived).toHaveLength(1));
  const inside = await group("inside", place);
  await patiently(() => expect(sink.arrived).toHaveLength(2));
  const { event, headers, token, claims } = sink.arrived[1]!;
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "ce-id": expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
    "ce-type": "dev.chainguard.api.iam.group.created.v1",
    "ce-source": `${world.service.url}/iam/v2/groups`,
    "ce-subject": inside,
    "ce-specversion": "1.0",
    "ce-time": expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    "ce-group": inside,
    "ce-audience": "customer",
    "ce-actor": owner.uid,
    "user-agent": "platform-events",
    "accept-encoding": "gzip",
  });
  expect(event.data).toEqual({
    actor: { subject: owner.uid, act: { iss: world.service.config.issuer, sub: "owner" } },
    body: await world.make(owner, "groups.get", { uid: inside }),
  });
  expect(claims).toEqual({
    iss: world.service.config.issuer,
    sub: `webhook:${place}`,
    aud: "customer",
    iat: expect.any(Number),
    exp: claims.iat! + 300,
    webhook: { digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
  });
  // The token does not grant access to the API.
  expect((await world.send(token, "ping.ping")).status).toBe(401);
  await patiently(async () => expect(await waiting()).toBe(0));
  expect([sink.refused, sink.requests()]).toEqual([[], 2]);
});

test("what fails is sent again under the same id, until it arrives", async () => {
  const place = await group("failing");
  const ids: string[] = [];
  const sink = await receiver({
    behave: (response, id) => {
      ids.push(id);
      if (ids.length > 2) return false;
      // Neither an error status nor a dropped connection counts as delivered.
      if (ids.length === 1) response.writeHead(500).end();
      else response.socket?.destroy();
      return true;
    },
  });
  await subscribe(place, sink.url);
  await patiently(() => expect(sink.arrived).toHaveLength(1));
  expect(new Set(ids).size).toBe(1);
});

test("a sink that hangs, one that is gone and one that leads elsewhere delay nobody else", async () => {
  const place = await group("crowded");
  const elsewhere = await receiver();
  const hanging = await receiver({ behave: () => true });
  const away = await receiver({
    behave: (response) => (response.writeHead(307, { location: elsewhere.url }).end(), true),
  });
  const good = await receiver();
  for (const sink of [hanging.url, away.url, "http://127.0.0.1:9/", good.url]) await subscribe(place, sink);
  const made = await world.service.database.transaction((queries) =>
    queries.query<{ uid: string }>(
      `insert into groups (uid, parent, name, created_at, updated_at)
       select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'group ' || n, now(), now() from generate_series(1, 30) n
       returning uid`,
      [place],
    ),
  );
  await patiently(() => expect(subjects(good)).toEqual(expect.arrayContaining(made.map(({ uid }) => uid))));
  expect([elsewhere.requests(), hanging.requests()]).toEqual([0, 1]);
});

test("the deletion of a subscription stops what waits for it", async () => {
  const place = await group("stopped");
  const sink = await receiver({ behave: (response) => (response.writeHead(503).end(), true) });
  const uid = await subscribe(place, sink.url);
  await patiently(() => expect(sink.requests()).toBeGreaterThan(0));
  await world.make(owner, "subscriptions.delete", { uid });
  await group("afterwards", place);
  await patiently(async () => expect(await waiting()).toBe(0));
});

/** A second dispatcher next to the service's own, with short times and a function as its sink. */
function quick(
  send: Parameters<typeof startDispatcher>[0]["send"],
  lines: string[] = [],
  database = world.service.database,
  mostPending: number = PENDING.events,
): Dispatcher {
  const dispatcher = startDispatcher({
    database,
    mostPending,
    send,
    log: createLog("info", { write: (line) => void lines.push(line) }),
    times: {
      ...TIMES,
      first: 10,
      longest: 20,
      giveUp: 300,
      rest: { first: 10, longest: 20 },
      between: 10,
      look: { embedded: 20, postgres: 20 },
    },
  });
  open.push(dispatcher);
  return dispatcher;
}
const store = (uid: string, count: number, database: Database = world.service.database) =>
  database.query(
    `insert into event_deliveries (subscription_uid, event_id, event, next_at, created_at)
     select $1, 'event ' || n, json_build_object('specversion', '1.0', 'id', 'event ' || n, 'type', 't',
       'source', '/s', 'data', json_build_object())::text, $3, $3 from generate_series(1, $2::int) n`,
    [uid, count, new Date()],
  );

/** A subscription in a database without a service, whose own dispatcher would take part. */
async function quiet(known: { works: boolean; failures: number }): Promise<string> {
  alone ??= await openMigrated();
  await alone.query("delete from event_deliveries");
  const group = randomBytes(20).toString("hex");
  const uid = `${group}/${randomBytes(8).toString("hex")}`;
  await alone.query(
    "insert into groups (uid, name, created_at, updated_at) values ($1, 'quiet', now(), now())",
    [group],
  );
  await alone.query(
    `insert into subscriptions (uid, parent, sink, created_at, updated_at)
     values ($1, $2, 'http://127.0.0.1:9/s3cret?key=s3cret', now(), now())`,
    [uid, group],
  );
  await alone.query("insert into event_sinks (subscription_uid, works, failures) values ($1, $2, $3)", [
    uid,
    known.works,
    known.failures,
  ]);
  return uid;
}
const left = async () => (await alone!.query("select 1 from event_deliveries")).length;

test("two dispatchers share the work: each delivery is one's alone", async () => {
  const uid = await quiet({ works: true, failures: 0 });
  await store(uid, 200, alone);
  const sent: string[][] = [[], []];
  for (const mine of sent)
    quick(
      async ({ event }) => {
        mine.push(event);
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
      [],
      alone,
    );
  await patiently(async () => expect(await left()).toBe(0));
  const all = sent.flat();
  expect([all.length, new Set(all).size]).toEqual([200, 200]);
  expect(sent.every((mine) => mine.length > 0)).toBe(true);
});

test("what is known of a sink outlives its queue and is known to others: one that worked gets several at once", async () => {
  const uid = await quiet({ works: true, failures: 0 });
  let most = 0;
  let now = 0;
  quick(
    async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    },
    [],
    alone,
  );
  await store(uid, 30, alone);
  await patiently(() => expect(most).toBeGreaterThan(1));
});

test("a sink that fails gets one request at a time, from all processes together", async () => {
  const uid = await quiet({ works: false, failures: 1 });
  await store(uid, 30, alone);
  let now = 0;
  let requests = 0;
  const most: number[] = [];
  const fail = async () => {
    now += 1;
    requests += 1;
    most.push(now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    throw new Error("no");
  };
  quick(fail, [], alone);
  quick(fail, [], alone);
  await patiently(() => expect(requests).toBeGreaterThan(5));
  expect(Math.max(...most)).toBe(1);
});

test("a subscription with too many pending events gets no new ones until some have arrived; the log says so", async () => {
  const uid = await quiet({ works: false, failures: 9 });
  const most = 200;
  const lines: string[] = [];
  const sent: string[] = [];
  // The only dispatcher: another one, whose requests fail, could hold an event longer than a test waits.
  const dispatcher = quick(async ({ event }) => void sent.push(event), lines, alone, most);
  const eventful = withEvents(alone!, world.service.config, (stored) => dispatcher.wake(stored));
  const rest = (until: string) =>
    alone!.query("update event_sinks set rests_until = $2::text::timestamptz where subscription_uid = $1", [
      uid,
      until,
    ]);
  const fullSince = async () =>
    (await alone!.query("select full_since from event_sinks where subscription_uid = $1", [uid]))[0]?.[
      "full_since"
    ];
  const write = (from: number, to: number) =>
    eventful.transaction((queries) =>
      queries.query(
        `insert into groups (uid, parent, name, created_at, updated_at)
         select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 'group ' || n, now(), now()
         from generate_series($2::int, $3::int) n`,
        [parentOf(uid), from, to],
      ),
    );
  await rest(new Date(Date.now() + 3_600_000).toISOString());
  await store(uid, most, alone);
  // Enough for the dispatcher to count.
  await write(1, 100);
  await patiently(async () => expect(await fullSince()).not.toBeNull());
  const before = await left();
  await write(101, 150);
  expect(await left()).toBe(before);

  await alone!.query("delete from event_deliveries where event_id <> 'event 1'");
  await rest("epoch");
  await patiently(async () => expect(await fullSince()).toBeNull());
  await patiently(() => expect(lines.join("")).toContain("are kept again"));
  expect(lines.join("")).toContain('"dropped":50');
  await write(151, 152);
  await patiently(async () => expect(await left()).toBe(0));
  expect(sent).toHaveLength(3);
});

test("what a day of attempts does not bring is given up, and the log says so without the path", async () => {
  await store(await quiet({ works: false, failures: 0 }), 1, alone);
  const lines: string[] = [];
  quick(() => Promise.reject(new Error("no")), lines, alone);
  await patiently(() => expect(lines.some((line) => line.includes("gave up on an event"))).toBe(true));
  expect(lines.join("")).toContain("127.0.0.1:9");
  expect(lines.join("")).not.toContain("s3cret");
});

test("a name that leads elsewhere by the time of sending is not followed into a private network", async () => {
  const sink = await receiver();
  const { port } = new URL(sink.url);
  // Acts like a lying name server: public at the first lookup, local afterwards.
  const resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  const send = createSend(outbound({ anywhere: false, resolve }), () => Promise.resolve("token"));
  const event = JSON.stringify({ specversion: "1.0", id: "1", type: "t", source: "/s", data: {} });
  for (const address of [
    `https://rebound.example:${port}/`,
    `https://localhost:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://0x7f.1:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    sink.url,
  ])
    await expect(send({ event, sink: address, group: "g" }), address).rejects.toThrow("fetch failed");
  expect(sink.requests()).toBe(0);
});
