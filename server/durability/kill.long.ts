import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Queries } from "../platform/store/database";
import { openEmbedded } from "../platform/store/embedded";
import { openPostgres } from "../platform/store/postgres";
import { send } from "../testing/app";
import { ownPostgres, type OwnPostgres } from "../testing/postgres";
import { forwardsIn, untilForwarded } from "./forwarded";
import { halfDone } from "./half-done";
import { unfaithful } from "./logged";
import { Rounds } from "./rounds";

const ROUNDS = 20;
const DATABASE_ROUNDS = 5;
/** Longer than a killed process keeps its target, and than the next one takes for what waits. */
const LEASE = 45_000;
const HALF_AN_HOUR = 30 * 60_000;
/** A different seed kills at other moments. */
const SEED = Number(process.env["KILL_SEED"] ?? 20_261_120);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "kill-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function report(what: string, { figures }: Rounds): void {
  const { rounds, acknowledged, arrived, unavailable, lost } = figures;
  console.log(
    `${what}: ${rounds} rounds (seed ${SEED}), ${acknowledged} acknowledged writes, ${lost.length} lost; ` +
      `of those without an answer ${arrived} had arrived; ${unavailable} answers were 503`,
  );
}

async function killService(rounds: Rounds): Promise<void> {
  await rounds.start();
  for (let round = 0; round < ROUNDS; round++) {
    await rounds.write(() => rounds.service.end("SIGKILL"));
    await rounds.start();
    await rounds.compare();
  }
}

/** On SIGTERM, the service finishes requests in flight: acknowledged writes are safe, and it exits cleanly. */
async function stopService(rounds: Rounds): Promise<void> {
  const codes: unknown[] = [];
  await rounds.write(async () => codes.push(await rounds.service.end("SIGTERM")));
  await rounds.start();
  await rounds.compare();
  expect(codes).toEqual([0]);
}

/** The log has an entry for each acknowledged write and no other, and its target has each of them. */
async function expectLogged(what: string, queries: Queries, file: string): Promise<void> {
  expect(await unfaithful(queries)).toEqual([]);
  const { wrong, entries, repeated, torn } = await forwardsIn(queries, file);
  expect(wrong).toEqual([]);
  expect(entries).toBeGreaterThan(500);
  console.log(
    `${what}: ${entries} entries, all forwarded in order; ${repeated} repeated, ${torn} lines torn`,
  );
}

const faultless = { lost: [], odd: [] };

test(
  "kill -9 of a service on the embedded database loses no acknowledged write",
  async () => {
    const file = path.join(directory, "audit.ndjson");
    const rounds = new Rounds({ DATA_DIR: directory, AUDIT_FORWARD: `file://${file}` }, SEED);
    await killService(rounds);
    await stopService(rounds);
    report("embedded, service killed", rounds);
    // The embedded database belongs to the service: its lag is a figure of the last process.
    await sleep(LEASE);
    expect(await rounds.service.end("SIGTERM")).toBe(0);
    expect(rounds.figures).toMatchObject(faultless);
    const database = await openEmbedded(directory);
    expect(await halfDone(database)).toEqual([]);
    await expectLogged("embedded", database, file);
    await database.close();
  },
  HALF_AN_HOUR,
);

describe("on PostgreSQL", () => {
  let server: OwnPostgres;
  beforeAll(async () => {
    server = await ownPostgres();
  });
  afterAll(() => server.stop());

  test(
    "kill -9 of the service, and of the database under it, loses no acknowledged write",
    async () => {
      const file = path.join(directory, "audit-postgres.ndjson");
      const rounds = new Rounds({ DATABASE_URL: server.url, AUDIT_FORWARD: `file://${file}` }, SEED);
      await killService(rounds);
      await stopService(rounds);
      report("PostgreSQL, service killed", rounds);
      const { pid } = rounds.service;
      const before = rounds.figures.rounds;
      for (let round = 0; round < DATABASE_ROUNDS; round++) {
        await rounds.write(() => server.crash());
        const health = await send(`${rounds.service.url}/healthz`);
        expect([health.status, health.headers["retry-after"]]).toEqual([503, "5"]);
        // Not invalid_grant: an unavailable database must not sign users out.
        const renewal = await send(`${rounds.service.url}/oidc/token`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: "grant_type=refresh_token&refresh_token=any&client_id=console",
        });
        expect(renewal.status).toBe(503);
        await server.restart();
        // The same process: it reconnects to the database by itself.
        await rounds.compare();
      }
      report(`PostgreSQL, and the database killed in ${rounds.figures.rounds - before} rounds more`, rounds);
      expect(rounds.service.pid).toBe(pid);
      expect(rounds.figures.unavailable).toBeGreaterThan(0);
      const database = await openPostgres(server.url);
      await untilForwarded(database, `file://${file}`);
      expect(await rounds.service.end("SIGTERM")).toBe(0);
      await untilForwarded(database, `file://${file}`);
      expect(rounds.figures).toMatchObject(faultless);
      expect(await halfDone(database)).toEqual([]);
      await expectLogged("PostgreSQL", database, file);
      await database.close();
    },
    HALF_AN_HOUR,
  );
});
