import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { closeServer } from "../testing/site";
import { startIssuer, type TestIssuer } from "../testing/issuer";
import { expectUnharmed, Target } from "./target";

/** Seconds until an issuer that stopped stalling must work again. */
const RECOVERY = 20;

let stalling = true;
let real: TestIssuer;
let url: string;
let target: Target;
const server = createServer((request, response) => void answer(request.url ?? "", response));

async function answer(path: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  if (path !== "/keys") response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
  else if (stalling) response.write('{"keys":[');
  else response.end(await (await fetch(`${real.url}/keys`)).text());
}

beforeAll(async () => {
  real = await startIssuer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  target = await Target.start({ TRUSTED_ISSUERS: url });
});
afterAll(async () => {
  await target.stop();
  await closeServer(server);
  await real.stop();
});

test("a key server that stalls in its answer", async () => {
  const token = await real.sign({ iss: url, sub: "machine", aud: target.service.url }, { seconds: 3_600 });
  const ask = async (patience: number) => {
    const answered = target.call("GET", "/ping/v2/ping", { token }).then(({ status }) => status);
    const late = new Promise<string>((resolve) => setTimeout(() => resolve("no answer"), patience * 1000));
    return Promise.race([answered, late]);
  };
  const figures = await target.measure("a stalling key server, 200 tokens", async () => {
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => ask(10)));
    // A caller beyond its share is rate limited.
    for (const outcome of new Set(outcomes)) expect.soft([429, 503]).toContain(outcome);
  });
  expectUnharmed(figures);
  stalling = false;
  await expect.poll(() => ask(5), { timeout: RECOVERY * 1000, interval: 1_000 }).toBe(200);
});
