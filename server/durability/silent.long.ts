import { afterAll, beforeAll, expect, test } from "vitest";

import { startBuilt } from "../testing/built-service";
import { startPostgres, type TemporaryPostgres } from "../testing/postgres";
import { startSilentProxy, type SilentProxy } from "../testing/silent-proxy";

let server: TemporaryPostgres;
let proxy: SilentProxy;
beforeAll(async () => {
  server = await startPostgres();
  proxy = await startSilentProxy(server.url);
}, 60_000);
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

const SECRET = "a-secret-for-the-client";

test("a PostgreSQL that goes silent costs its callers seconds, and a stop its usual time", async () => {
  const service = await startBuilt({ PORT: "0", DATABASE_URL: proxy.url, AUTOMATION_CLIENT_SECRET: SECRET });
  const status = (path: string, authorization = "") =>
    fetch(`${service.url}${path}`, { headers: { authorization } }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    });
  const granted = await fetch(`${service.url}/oidc/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`automation:${SECRET}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const list = () => status("/iam/v2/groups", `Bearer ${token}`);
  expect(await list()).toBe(200);
  proxy.silence();
  const from = performance.now();
  expect(await Promise.all(Array.from({ length: 20 }, list))).toEqual(Array(20).fill(503));
  expect(performance.now() - from).toBeLessThan(25_000);
  expect([await list(), await status("/readyz"), await status("/livez")]).toEqual([503, 503, 200]);
  proxy.resume();
  await expect.poll(() => status("/readyz"), { timeout: 20_000 }).toBe(200);
  expect(await list()).toBe(200);

  // Once it is silent, and nobody has noticed.
  proxy.silence();
  const hung = list().catch(() => 0);
  const stopping = performance.now();
  expect(await service.end("SIGTERM")).toBe(0);
  expect(performance.now() - stopping).toBeLessThan(18_000);
  expect([0, 503]).toContain(await hung);
}, 120_000);
