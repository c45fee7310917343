import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfig } from "../../config";
import { createProbes } from "../http/probes";
import { createLog } from "../../log";
import { listenFirst, send } from "../../testing/app";
import { closeServer } from "../../testing/site";
import { startPostgres, type TemporaryPostgres } from "../../testing/postgres";
import { startSilentProxy, type SilentProxy } from "../../testing/silent-proxy";
import { migrate } from "./migrate";
import { openPostgres } from "./postgres";

let server: TemporaryPostgres;
let proxy: SilentProxy;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  proxy = await startSilentProxy(server.url);
  ({ url } = proxy);
  const database = await openPostgres(server.url);
  await migrate(database);
  await database.close();
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

/** In milliseconds. */
const PATIENCE = { statement: 1_000, connect: 1_000, probe: 1_500, close: 300 };
/** Milliseconds that nothing here may take, however slow the machine is; each limit of the service is longer. */
const SOON = 9_000;

const took = async (work: Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work.catch(() => {});
  return performance.now() - from;
};

test("a statement without an answer ends after its limit, alone or in a transaction", async () => {
  const database = await openPostgres(url, PATIENCE);
  database.limitStatements?.();
  let inside: unknown;
  const begun = database.transaction(async (queries) => {
    await queries.query("select 1");
    proxy.silence();
    await queries.query("select 2").catch((error: unknown) => {
      inside = error;
      throw error;
    });
  });
  expect(await took(begun)).toBeLessThan(SOON);
  expect(inside).toMatchObject({ name: "UNAVAILABLE" });
  await expect(database.query("select 3")).rejects.toMatchObject({ name: "UNAVAILABLE" });
  proxy.resume();
  expect(await database.query("select 4 as n")).toEqual([{ n: 4 }]);
  await database.close();
});

test("a silent server is found out by probes of their own, logged once, and forgotten once it answers", async () => {
  // Statements have no limit here: only the probes tell.
  const database = await openPostgres(url, { ...PATIENCE, connect: 2 * SOON });
  const lines: { msg: string }[] = [];
  const log = createLog("info", { write: (line) => lines.push(JSON.parse(line) as { msg: string }) });
  const { origin, serve, server: listener } = await listenFirst();
  const probes = createProbes(readConfig({ PUBLIC_URL: origin }), log);
  serve(probes.before((_request, response) => void response.end()));
  probes.serve(database);
  const ready = async () => (await send(`${origin}/readyz`)).status;
  await expect.poll(ready, { timeout: SOON }).toBe(200);
  // As many as there are connections for.
  const all = () => Array.from({ length: 12 }, () => database.query("select pg_sleep(0.01)"));
  await Promise.all(all());
  proxy.silence();
  const waiting = Promise.allSettled(all());
  expect([await ready(), await ready()]).toEqual([503, 503]);
  for (const one of await waiting) expect(one).toMatchObject({ reason: { name: "UNAVAILABLE" } });
  expect(await took(database.query("select 1"))).toBeLessThan(SOON);
  expect(await took(database.transaction((queries) => queries.query("select 1")))).toBeLessThan(SOON);
  expect(await ready()).toBe(503);
  proxy.resume();
  // A new connection may take longer than a probe may, on a busy machine.
  await expect.poll(ready, { timeout: SOON }).toBe(200);
  expect(await database.query("select 1 as n")).toEqual([{ n: 1 }]);
  expect(lines.map(({ msg }) => msg)).toEqual(["not ready", "ready again"]);
  probes.leave();
  await database.close();
  await closeServer(listener);
});

test("a silent server keeps nobody from closing", async () => {
  const database = await openPostgres(url, PATIENCE);
  await database.query("select 1");
  proxy.silence();
  const hung = took(database.query("select 2"));
  await expect.poll(() => database.pool?.().busy).toBe(1);
  const closed = took(database.close());
  expect(await closed).toBeLessThan(SOON);
  expect(await hung).toBeLessThan(SOON);
  proxy.resume();
});
