import { afterEach, expect, test } from "vitest";

import { openPostgres } from "../platform/store/postgres";
import { startBuilt } from "../testing/built-service";
import { pgBouncer, startPgBouncer } from "../testing/pgbouncer";
import { ownPostgres } from "../testing/postgres";
import { halfDone } from "./half-done";
import { Rounds } from "./rounds";
import { Api } from "./writers";

const SEED = Number(process.env["KILL_SEED"] ?? 20_261_125);
const TEN_MINUTES = 600_000;
const SECRET = "pgbouncer-0123456789";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

if (pgBouncer === undefined) console.log("skipped: PgBouncer is not installed");

test.skipIf(pgBouncer === undefined)(
  "two processes behind PgBouncer in transaction mode: no write or list fails",
  async () => {
    const server = await ownPostgres();
    stops.push(() => server.stop());
    const bouncer = await startPgBouncer(pgBouncer ?? "", server.url);
    stops.push(() => bouncer.stop());
    const variables = {
      DATABASE_URL: bouncer.url,
      PORT: "0",
      PUBLIC_URL: "http://127.0.0.1:8080",
      SEED: "demo",
      AUTOMATION_CLIENT_SECRET: SECRET,
    };
    const ports = ["20871", "20872"];
    const services = await Promise.all(ports.map((PORT) => startBuilt({ ...variables, PORT })));
    for (const service of services) stops.push(() => service.end("SIGTERM"));
    const answers = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        const api = new Api(`http://127.0.0.1:${ports[writer % 2]}`, SECRET);
        await api.signIn();
        const count = async (...call: Parameters<Api["call"]>) => {
          const { status, json } = await api.call(...call);
          // At most two requests of a caller run, and twenty wait.
          answers.set(status, (answers.get(status) ?? 0) + 1);
          return json;
        };
        const { uid } = await count("POST", "groups", { name: `writer ${writer}` });
        for (let turn = 0; turn < 30; turn += 1) {
          const made = await count("POST", `groups/${uid}`, { name: `group ${turn}` });
          await count("PATCH", `groups/${made.uid}?updateMask=description`, { description: `${turn}` });
          await count("GET", "groups?order_by=name&page_size=50");
          if (turn % 2) await count("DELETE", `groups/${made.uid}`);
        }
      }),
    );
    console.log(`behind PgBouncer: ${JSON.stringify(Object.fromEntries(answers))} responses by status`);
    expect([...answers.keys()]).toEqual([200]);
  },
  TEN_MINUTES,
);

test.skipIf(pgBouncer === undefined)(
  "the primary is killed and its synchronous standby promoted: the same process goes on and nothing is lost",
  async (context) => {
    const primary = await ownPostgres();
    stops.push(() => primary.stop());
    const standby = await primary.standby();
    if (!standby) {
      console.log("skipped: PostgreSQL's programs cannot make a standby (pg_basebackup)");
      return context.skip();
    }
    stops.push(() => standby.stop());
    const bouncer = await startPgBouncer(pgBouncer ?? "", primary.url);
    stops.push(() => bouncer.stop());
    const rounds = new Rounds({ DATABASE_URL: bouncer.url }, SEED);
    await rounds.start();
    stops.push(() => rounds.service.end("SIGTERM"));
    const { pid } = rounds.service;
    await rounds.write(() => primary.crash());
    await standby.promote();
    await bouncer.lead(standby.url);
    await expect
      .poll(async () => (await fetch(`${rounds.service.url}/healthz`)).status, { timeout: 60_000 })
      .toBe(200);
    await rounds.compare();
    // It goes on writing.
    await rounds.write(async () => rounds.service.end("SIGTERM"));
    await rounds.start();
    await rounds.compare();
    const { acknowledged, arrived, unavailable, lost, odd } = rounds.figures;
    console.log(
      `failover (seed ${SEED}): ${acknowledged} acknowledged writes, ${lost.length} lost; of those without an answer ` +
        `${arrived} had arrived; ${unavailable} answers were 503`,
    );
    expect(pid).toBeDefined();
    expect({ lost, odd }).toEqual({ lost: [], odd: [] });
    const database = await openPostgres(standby.url);
    expect(await halfDone(database)).toEqual([]);
    await database.close();
  },
  TEN_MINUTES,
);
