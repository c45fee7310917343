import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

import { openPostgres } from "../store/postgres";
import { startBuilt, type BuiltService } from "../../testing/built-service";
import { freePort } from "../../testing/free-port";
import { ownPostgres } from "../../testing/postgres";
import { startReceiver, type Arrived, type Receiver } from "../../testing/receiver";
import { Client, Storm, type Write } from "./storm";

const WRITES = Number(process.env["STORM_WRITES"] ?? 10_000);
const WRITERS = 20;
const KILLS = 5;
const SECRET = "storm-of-events-0123456789";
const HALF_AN_HOUR = 30 * 60_000;

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Two services on one database, as behind a load balancer: each can be killed and restarted. */
class Pair {
  readonly services: BuiltService[] = [];
  readonly clients: Client[] = [];

  constructor(
    private readonly variables: Readonly<Record<string, string>>,
    private readonly ports: readonly number[],
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.ports[0]}`;
  }

  async start(index: number): Promise<void> {
    const PORT = String(this.ports[index]);
    this.services[index] = await startBuilt({ ...this.variables, PUBLIC_URL: this.url, PORT });
  }

  async open(): Promise<void> {
    for (const index of this.ports.keys()) await this.start(index);
    const token = await Client.tokenOf(this.url, SECRET);
    for (const port of this.ports) this.clients.push(new Client(`http://127.0.0.1:${port}`, token));
  }
}

/** Compares what one sink received with what was written. `there` has the uids and texts of the groups that exist. */
function judge(arrived: readonly Arrived[], writes: readonly Write[], there: ReadonlySet<string>) {
  const events = arrived.map(({ event }) => ({
    id: event.id,
    kind: event.type.split(".").at(-2) ?? "",
    subject: String(event.subject),
    body: (event.data as { body: { name?: string; description?: string } }).body,
  }));
  const once = [...new Map(events.map((event) => [event.id, event])).values()];
  const keyOf = (kind: string, subject: string, text = "") => `${kind} ${subject} ${text}`;
  const told = new Set(
    once.map(({ kind, subject, body }) =>
      keyOf(kind, subject, kind === "updated" ? body.description : kind === "created" ? body.name : ""),
    ),
  );
  const uids = new Map(
    once.filter(({ kind }) => kind === "created").map(({ subject, body }) => [body.name, subject]),
  );
  const missing: string[] = [];
  const invented = [...told];
  const strike = (key: string) => {
    const at = invented.indexOf(key);
    if (at >= 0) invented.splice(at, 1);
    return at >= 0;
  };
  for (const { kind, text, outcome, uid: known } of writes) {
    if (kind === "refused" || outcome === "refused") continue;
    const uid = known ?? uids.get(text) ?? "";
    const verb = { create: "created", update: "updated", delete: "deleted" }[kind];
    const found = strike(keyOf(verb, uid, kind === "delete" ? "" : text));
    if (outcome === "acknowledged" && !found) missing.push(`${kind} ${text}`);
    // Writes without a response must be reported if and only if they were made; no later write touches their group.
    const made = kind === "delete" ? !there.has(uid) : there.has(text);
    if (outcome === "unknown" && found !== made)
      missing.push(found ? `${text} was never made` : `${kind} ${text}`);
  }
  return { missing, invented, ids: once.length, keys: told.size, doubled: arrived.length - once.length };
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

test(
  "a storm of writes, sinks that fail, hang and are gone, and processes that are killed: the others are told everything",
  async () => {
    const postgres = await ownPostgres();
    ends.push(() => postgres.stop());
    const directory = await mkdtemp(path.join(tmpdir(), "storm-"));
    ends.push(() => rm(directory, { recursive: true, force: true }));
    const pair = new Pair(
      {
        SEED: "none",
        DATABASE_URL: postgres.url,
        DATA_DIR: directory,
        AUTOMATION_CLIENT_SECRET: SECRET,
        ACCESS_TOKEN_TTL: "7200",
      },
      [await freePort(), await freePort()],
    );
    await pair.open();
    ends.push(() =>
      Promise.all(pair.services.map((service) => (service.alive() ? service.end("SIGTERM") : undefined))),
    );
    const [api] = pair.clients as [Client];
    const parent = (await api.call("POST", "iam/v2/groups", { name: "storm" })).json.uid as string;

    const issuer = `${pair.url}/oidc`;
    const fails = (response: ServerResponse): boolean => {
      if (Math.random() > 0.3) return false;
      if (Math.random() > 0.5) response.writeHead(500).end();
      else response.socket?.destroy();
      return true;
    };
    const sinks: Record<string, Receiver> = {
      good: await startReceiver({ issuer }),
      second: await startReceiver({ issuer }),
      flaky: await startReceiver({ issuer, behave: fails }),
      hanging: await startReceiver({ behave: () => true }),
    };
    ends.push(() => Promise.all(Object.values(sinks).map((sink) => sink.stop())));
    const subscriptions: Record<string, string> = {};
    for (const [name, url] of [
      ...Object.entries(sinks).map(([name, { url }]) => [name, url] as const),
      ["gone", `http://127.0.0.1:${await freePort()}`] as const,
    ])
      subscriptions[name] = await subscribe(api, parent, url);

    const storm = new Storm(pair.clients, parent, WRITES);
    let killed = 0;
    let killing = Promise.resolve();
    const killAt = Array.from({ length: KILLS }, (_, index) =>
      Math.floor((WRITES * (index + 1)) / (KILLS + 1)),
    );
    const from = performance.now();
    await storm.run(WRITERS, (count) => {
      const round = killAt.indexOf(count);
      if (round < 0) return;
      killing = killing.then(async () => {
        const index = killed % 2;
        await pair.services[index]!.end("SIGKILL");
        await pair.start(index);
        killed += 1;
      });
    });
    const written = (performance.now() - from) / 1000;
    await killing;

    const database = await openPostgres(postgres.url);
    ends.push(() => database.close());
    const told = ["good", "second", "flaky"] as const;
    const waiting = async () =>
      (
        await database.query(
          "select 1 from event_deliveries where subscription_uid = any($1::text[]) limit 1",
          [told.map((name) => subscriptions[name])],
        )
      ).length;
    while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 500));
    const drained = (performance.now() - from) / 1000 - written;

    const groups = await database.query<{ uid: string; name: string; description: string }>(
      "select uid, name, description from groups",
    );
    const there = new Set(groups.flatMap(({ uid, name, description }) => [uid, name, description]));
    const count = (outcome: Write["outcome"]) =>
      storm.writes.filter((write) => write.outcome === outcome).length;
    const [left] = await database.query<{ n: number }>("select count(*) as n from event_deliveries");
    console.log(
      `${WRITES} writes by ${WRITERS} in ${written.toFixed(0)} s: ${count("acknowledged")} acknowledged, ` +
        `${count("refused")} refused, ${count("unknown")} without an answer; ${killed} kills; ` +
        `all told ${drained.toFixed(0)} s later; ${left?.n} wait for the sinks that hang and are gone, ` +
        `${sinks["hanging"]!.requests()} requests hung`,
    );
    for (const name of told) {
      const sink = sinks[name]!;
      // Leaves out the events of the five subscriptions themselves.
      const news = sink.arrived.filter(({ event }) => event.type.includes(".iam.group."));
      const { missing, invented, ids, keys, doubled } = judge(news, storm.writes, there);
      const ages = sink.arrived.map(({ event, at }) => at - Date.parse(String(event.time)));
      console.log(
        `${name}: ${ids} events, ${doubled} of them again, ${sink.requests()} requests; ` +
          `${percentile(ages, 0.5)} ms after the write in the middle, ${percentile(ages, 0.99)} ms at 99 %`,
      );
      expect({ name, missing, invented, refused: sink.refused, twice: ids - keys }).toEqual({
        name,
        missing: [],
        invented: [],
        refused: [],
        twice: 0,
      });
      expect(sink.arrived.every(({ claims }) => claims.sub === `webhook:${parent}`)).toBe(true);
      expect(sink.arrived.filter(({ event }) => event.type.includes("group_invite"))).toEqual([]);
    }
    expect(count("refused")).toBeGreaterThan(WRITES / 50);
    expect(count("acknowledged")).toBeGreaterThan(WRITES * 0.8);
  },
  HALF_AN_HOUR,
);

async function subscribe(api: Client, parent: string, sink: string): Promise<string> {
  const { status, json } = await api.call("POST", `events/v2/subscriptions/${parent}`, { sink });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json.uid as string;
}
