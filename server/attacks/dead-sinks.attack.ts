import { randomBytes } from "node:crypto";
import { afterAll, afterEach, expect, test, vi } from "vitest";

import { ownPostgres } from "../testing/postgres";
import { startReceiver, type Receiver } from "../testing/receiver";
import { startService, type TestService } from "../testing/service";
import { say } from "./neighbour";

/** Sinks of one account that accept connections and never answer; a group can have 20. */
const DEAD = 400;
const PER_GROUP = 20;
/** Organizations with one folder and one sink that works. */
const GOOD = 50;

const stops: (() => Promise<unknown>)[] = [];
const afterAllStops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(async () => {
  for (const stop of afterAllStops.toReversed()) await stop();
});

interface Organization {
  readonly uid: string;
  readonly token: string;
}

class Scene {
  readonly good: Organization[] = [];

  private constructor(
    readonly service: TestService,
    private readonly sink: Receiver,
    /** The sinks that were sent something, in order. */
    readonly attempts: readonly string[],
  ) {}

  static async open(variables: Readonly<Record<string, string>>): Promise<Scene> {
    const attempts: string[] = [];
    const sink = await startReceiver({
      behave: (response) => {
        const path = response.req.url ?? "";
        attempts.push(path);
        if (path.startsWith("/good")) response.writeHead(204).end();
        return true;
      },
    });
    stops.push(() => sink.stop());
    const service = await startService(variables);
    stops.push(() => service.stop());
    return new Scene(service, sink, attempts);
  }

  async organization(name: string): Promise<Organization> {
    const token = await this.service.token(`owner of ${name}`);
    return { uid: await this.group("", name, token), token };
  }

  async group(parent: string, name: string, token: string): Promise<string> {
    const path = `/iam/v2/groups${parent && `/${parent}`}`;
    const { status, json } = await this.service.call("POST", path, { token, body: { name } });
    if (status !== 200) throw new Error(`${status} for a group`);
    return String(json["uid"]);
  }

  /** Stores subscriptions without the events of their creation. */
  async subscribe(parent: string, paths: readonly string[]): Promise<void> {
    await this.service.database.query(
      `insert into subscriptions (uid, parent, sink, created_at, updated_at)
       select $1 || '/' || s.id, $1, s.sink, now(), now() from unnest($2::text[], $3::text[]) as s (id, sink)`,
      [parent, paths.map(() => randomBytes(8).toString("hex")), paths.map((path) => this.sink.url + path)],
    );
  }

  /** One event in each of these groups, at once. */
  async event(groups: readonly string[]): Promise<void> {
    await this.service.database.transaction((queries) =>
      queries.query(
        `insert into groups (uid, parent, name, created_at, updated_at)
         select g.uid || '/' || $2, g.uid, 'event', now(), now() from unnest($1::text[]) as g (uid)`,
        [groups, randomBytes(8).toString("hex")],
      ),
    );
  }

  /** How many of the good sinks were sent something by the `nth` attempt of any dead one. */
  goodBefore(nth: number): number {
    const counts = new Map<string, number>();
    const good = new Set<string>();
    for (const path of this.attempts) {
      if (path.startsWith("/good")) good.add(path);
      counts.set(path, (counts.get(path) ?? 0) + 1);
      if (path.startsWith("/dead") && counts.get(path) === nth) break;
    }
    return good.size;
  }

  arrived = (path: string): number => this.attempts.filter((attempt) => attempt === path).length;
}

/** Waits for each neighbor's next event after a write; returns the longest of these times in milliseconds. */
async function longestWait(scene: Scene): Promise<number> {
  let longest = 0;
  for (const [index, { uid, token }] of scene.good.entries()) {
    const before = scene.arrived(`/good/${index}`);
    const from = performance.now();
    await scene.group(uid, `more ${randomBytes(4).toString("hex")}`, token);
    await vi.waitFor(() => expect(scene.arrived(`/good/${index}`)).toBeGreaterThan(before), {
      timeout: 20_000,
      interval: 5,
    });
    longest = Math.max(longest, performance.now() - from);
  }
  return longest;
}

const DATABASES = {
  embedded: async () => ({}),
  PostgreSQL: async () => {
    const postgres = await ownPostgres();
    afterAllStops.push(() => postgres.stop());
    return { DATABASE_URL: postgres.url };
  },
};

/** The dead sinks are in folders of one organization, or in as many organizations as one person can create. */
const ATTACKS = { "one organization": PER_GROUP, "a hundred organizations": 4 };

for (const [kind, variables] of Object.entries(DATABASES))
  test.each(Object.entries(ATTACKS))(
    `${DEAD} dead sinks in %s, ${kind}: every good sink gets its event before a dead one is tried again`,
    async (where, each) => {
      const scene = await Scene.open(await variables());
      const attacker = await scene.service.token("attacker");
      const one = where === "one organization" ? await scene.group("", "attacker", attacker) : "";
      const folders: string[] = [];
      for (let index = 0; index < DEAD / each; index += 1)
        folders.push(await scene.group(where === "one organization" ? one : "", `dead ${index}`, attacker));
      for (const [at, folder] of folders.entries())
        await scene.subscribe(
          folder,
          Array.from({ length: each }, (_, index) => `/dead/${at}/${index}`),
        );
      for (let index = 0; index < GOOD; index += 1) {
        const organization = await scene.organization(`good ${index}`);
        scene.good.push(organization);
        await scene.subscribe(organization.uid, [`/good/${index}`]);
      }

      await scene.event([...folders, ...scene.good.map(({ uid }) => uid)]);
      await vi.waitFor(
        () => {
          for (const index of scene.good.keys()) expect(scene.arrived(`/good/${index}`)).toBeGreaterThan(0);
        },
        { timeout: 60_000, interval: 50 },
      );
      expect(scene.goodBefore(2)).toBe(GOOD);

      // Meanwhile the dead ones are tried again and again.
      const longest = await longestWait(scene);
      say(
        `${DEAD} dead sinks in ${where}, ${kind}: ${scene.attempts.length} attempts, ` +
          `${longest.toFixed(0)} ms from a neighbour's write to its sink at worst`,
      );
    },
  );
