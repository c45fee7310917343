import { readdirSync, readlinkSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";

import { ownPostgres } from "../testing/postgres";
import { startReceiver, type Receiver } from "../testing/receiver";
import { startService, type TestService } from "../testing/service";
import { say } from "./neighbour";

/** How long all of it goes on. */
const MINUTES = Number(process.env["TOGETHER_MINUTES"] ?? 10);
/** The same for what the service then keeps: caches, connections to the database. */
const WARM_MINUTES = Math.min(0.5, MINUTES / 4);
/** Milliseconds within which everything is given back: clients' connections are kept open for 65 s. */
const WAIT_TIMEOUT_MS = 150_000;
const GROWTH_MB = 60;
/** Of one group. */
const SUBSCRIPTIONS = 20;

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Without those of the embedded database, which keeps the files of each table that it has used. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((name) => !targetOf(name).includes("/platform-service-")).length;

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // Closed meanwhile.
    return "";
  }
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
function megabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

interface Person {
  readonly token: string;
  readonly organization: string;
}

/** Everything that a tenant, or nobody at all, does to one service. The clients are in the same process. */
class Scene {
  private over = false;
  readonly counts = { hanging: 0, made: 0, departed: 0, guessed: 0, raced: 0, read: 0 };
  /** What the neighbor was refused, and which writes its sink has to hear of. */
  readonly refused: string[] = [];
  readonly written: string[] = [];
  /** Milliseconds that each of its requests took. */
  readonly waits: number[] = [];

  private constructor(
    private readonly service: TestService,
    private readonly dead: Receiver,
    private readonly good: Receiver,
    private readonly people: Readonly<Record<"attacker" | "racer" | "reader" | "neighbour", Person>>,
    private readonly folders: readonly string[],
  ) {}

  static async open(service: TestService): Promise<Scene> {
    const dead = await startReceiver({ behave: () => true });
    stops.push(() => dead.stop());
    const good = await startReceiver({ issuer: service.config.issuer });
    stops.push(() => good.stop());
    const person = async (name: string): Promise<Person> => {
      const token = await service.token(name, {}, { seconds: 7_200 });
      const { json } = await service.call("POST", "/iam/v2/groups", { token, body: { name } });
      return { token, organization: String(json["uid"]) };
    };
    const people = {
      attacker: await person("attacker"),
      racer: await person("racer"),
      reader: await person("reader"),
      neighbour: await person("neighbour"),
    };
    const folders: string[] = [];
    const scene = new Scene(service, dead, good, people, folders);
    for (const name of ["one", "two", "three", "four"])
      folders.push(await scene.group(people.attacker, name, people.attacker.organization));
    await scene.subscribe(people.neighbour, people.neighbour.organization, good.url);
    return scene;
  }

  private async group({ token, organization }: Person, name: string, parent = organization): Promise<string> {
    const path = `/iam/v2/groups/${parent}`;
    const { status, json } = await this.service.call("POST", path, { token, body: { name } });
    return status === 200 ? String(json["uid"]) : "";
  }

  private async subscribe({ token }: Person, parent: string, sink: string): Promise<string> {
    const path = `/events/v2/subscriptions/${parent}`;
    const { status, json } = await this.service.call("POST", path, { token, body: { sink } });
    return status === 200 ? String(json["uid"]) : "";
  }

  private async unsubscribe({ token }: Person, parent: string): Promise<void> {
    const query = `/events/v2/subscriptions?page_size=100&uidp.children_of=${parent}`;
    const list = async () => {
      const { status, json } = await this.service.call("GET", query, { token });
      expect(status).toBe(200);
      return json["subscriptions"] as { uid: string }[];
    };
    // The person's places can still be held by clients that only half left.
    for (const { uid } of await vi.waitFor(list, { timeout: WAIT_TIMEOUT_MS, interval: 500 }))
      await this.service.call("DELETE", `/events/v2/subscriptions/${uid}`, { token });
  }

  /** Repeats an act until the time is over. */
  private async again(act: () => Promise<unknown>): Promise<void> {
    while (!this.over) await act();
  }

  /** A write in each folder, which all of its dead sinks are told. */
  private async writeToTheDead(): Promise<void> {
    const { attacker } = this.people;
    for (const folder of this.folders) await this.group(attacker, `event ${(this.counts.made += 1)}`, folder);
    await sleep(200);
  }

  /** Six lists that cannot be answered, since the window is closed, and a client that only half leaves. */
  private async departHalf(): Promise<void> {
    const { port } = new URL(this.service.url);
    const { token } = this.people.attacker;
    const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    const session = connectHttp2(this.service.url, {
      settings: { initialWindowSize: 0 },
      createConnection: () => socket,
    });
    session.on("error", () => {});
    for (let index = 0; index < 6; index += 1) {
      const headers = { ":path": "/iam/v2/groups?page_size=200", authorization: `Bearer ${token}` };
      session.request(headers).on("error", () => {});
    }
    await sleep(300);
    socket.end();
    await sleep(300);
    session.destroy();
    socket.destroy();
    this.counts.departed += 1;
  }

  private async guess(): Promise<void> {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { iss: "https://made-up.example", sub: `s${Math.random()}`, exp: 4e9 };
    const token = `${part({ alg: "ES256" })}.${part(claims)}.${"A".repeat(86)}`;
    const { status } = await this.service.call("GET", "/ping/v2/ping", { token });
    expect(status).toBe(401);
    this.counts.guessed += 1;
  }

  /** More creates at once than are allowed, and all of it again. */
  private async race(): Promise<void> {
    const { racer } = this.people;
    const parent = racer.organization;
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, index) => this.subscribe(racer, parent, `${this.dead.url}/${index}`)),
    );
    expect(made.filter(Boolean).length).toBeLessThanOrEqual(SUBSCRIPTIONS);
    await this.unsubscribe(racer, parent);
    this.counts.raced += 1;
  }

  private async read(): Promise<void> {
    const { token } = this.people.reader;
    await this.service.call("GET", "/iam/v2/roles?page_size=200", { token });
    this.counts.read += 1;
  }

  async live(): Promise<void> {
    const { neighbour } = this.people;
    const { token } = neighbour;
    for (const path of ["/iam/v2/groups?order_by=name", "/iam/v2/roleBindings"]) {
      const { status } = await this.timed(() => this.service.call("GET", path, { token }));
      if (status !== 200) this.refused.push(`${status} for ${path}`);
    }
    const made = await this.timed(() => this.group(neighbour, `news ${this.written.length}`));
    if (made === "") this.refused.push("a write");
    else this.written.push(made);
    await sleep(100);
  }

  private async timed<T>(work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const result = await work();
    this.waits.push(performance.now() - from);
    return result;
  }

  /** The median of the neighbor's waits since the last call. */
  wait(): string {
    const waits = this.waits.splice(0).toSorted((one, other) => one - other);
    return `${(waits[Math.floor(waits.length / 2)] ?? 0).toFixed(0)} ms`;
  }

  /** All of it together, and then nothing more. */
  async attack(minutes: number): Promise<void> {
    const { attacker } = this.people;
    this.over = false;
    for (const folder of this.folders)
      for (let index = 0; index < SUBSCRIPTIONS; index += 1)
        await this.subscribe(attacker, folder, `${this.dead.url}/${index}`);
    const timer = setTimeout(() => (this.over = true), minutes * 60_000);
    const several = (count: number, act: () => Promise<unknown>) =>
      Array.from({ length: count }, () => this.again(act));
    await Promise.all([
      ...several(1, () => this.writeToTheDead()),
      ...several(3, () => this.departHalf()),
      ...several(10, () => this.guess()),
      ...several(1, () => this.race()),
      ...several(4, () => this.read()),
      ...several(1, () => this.live()),
    ]);
    clearTimeout(timer);
    for (const folder of this.folders) await this.unsubscribe(attacker, folder);
    this.counts.hanging = this.dead.requests();
  }

  /** The neighbor's writes that its sink has not heard of. */
  missing(): string[] {
    const heard = new Set(this.good.arrived.map(({ event }) => String(event.subject)));
    return this.written.filter((uid) => !heard.has(uid));
  }
}

const DATABASES = {
  embedded: async () => ({}),
  PostgreSQL: async () => {
    const postgres = await ownPostgres();
    stops.push(() => postgres.stop());
    return { DATABASE_URL: postgres.url };
  },
};

test.each(Object.entries(DATABASES))(
  "everything at once, %s: a neighbour is never refused, and afterwards nothing is held",
  async (kind, variables) => {
    const service = await startService(await variables());
    stops.push(() => service.stop());
    const scene = await Scene.open(service);
    const none = { running: 0, waiting: 0, unsent: 0 };
    const patience = { timeout: WAIT_TIMEOUT_MS, interval: 500 };
    const settle = async (files: number) => {
      await expect.poll(scene.missing.bind(scene), patience).toEqual([]);
      const places = { tokens: none, addresses: none, callers: none };
      await expect.poll(service.places, patience).toEqual(places);
      await expect.poll(openFiles, patience).toBeLessThanOrEqual(files);
    };

    for (let times = 0; times < 10; times += 1) await scene.live();
    const peace = scene.wait();
    const idle = openFiles();
    await scene.attack(WARM_MINUTES);
    // The database's connections, which are kept.
    await settle(idle + 20);
    const before = { files: openFiles(), timers: timers(), memory: megabytes() };

    scene.wait();
    await scene.attack(MINUTES);
    const wait = scene.wait();
    await settle(before.files);
    await expect.poll(timers, patience).toBeLessThanOrEqual(before.timers);
    const growth = megabytes() - before.memory;
    say(
      `everything at once, ${kind}, ${MINUTES} minutes: ${JSON.stringify(scene.counts)}, the neighbour made ` +
        `${scene.written.length} writes, and waited ${wait} for a request (${peace} in peace); open files ${before.files} before and ${openFiles()} after, ` +
        `timers ${before.timers} and ${timers()}, heap ${before.memory.toFixed(0)} MB and ${growth.toFixed(1)} MB more`,
    );
    expect(scene.refused).toEqual([]);
    expect(growth).toBeLessThan(GROWTH_MB);
  },
  MINUTES * 60_000 * 2 + 10 * 60_000,
);
