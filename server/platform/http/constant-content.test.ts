import { once } from "node:events";
import { connect, constants, type ClientHttp2Session } from "node:http2";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { SIGNATURE_KEYS_PATH } from "platform-contract/snapshots/signatures";

import { BODIES } from "../../conformance/samples";
import { World } from "../../conformance/world";
import { send } from "../../testing/app";
import { openDirectory } from "../../testing/scim";
import { startService, type TestService } from "../../testing/service";

const ADDRESSES = [
  "/openapi.json",
  "/config.json",
  "/",
  SIGNATURE_KEYS_PATH,
  "/oidc/.well-known/openid-configuration",
  "/oidc/jwks",
];

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

function open(session: ClientHttp2Session, path: string) {
  const stream = session.request({ ":path": path, "accept-encoding": "gzip, br" });
  stream.on("error", () => {});
  return stream;
}

/** Milliseconds of CPU time of this process, service and client, for rounds of requests. */
async function cost(path: string, reset: boolean): Promise<number> {
  const session = connect(service.url);
  await once(session, "connect");
  const before = process.cpuUsage();
  for (let round = 0; round < 4; round += 1) {
    const streams = Array.from({ length: 15 }, () => open(session, path));
    for (const stream of streams)
      if (reset) stream.close(constants.NGHTTP2_CANCEL);
      else stream.resume();
    // oxlint-disable-next-line no-await-in-loop -- as many at a time as a connection can have
    await Promise.all(streams.map((stream) => stream.closed || once(stream, "close")));
    // oxlint-disable-next-line no-await-in-loop -- the service has seen the resets when it answers this
    await once(open(session, "/livez").resume(), "close");
  }
  session.destroy();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several measurements with clients that reset their streams. */
async function leastCost(path: string): Promise<number> {
  const costs: number[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one measurement after the other
  for (let turn = 0; turn < 6; turn += 1) costs.push(await cost(path, true));
  return Math.min(...costs);
}

test.each(ADDRESSES)("%s costs nothing when its client is gone", async (path) => {
  await cost(path, false);
  // A few milliseconds each: a collection of garbage in one of them is many times as much, and in all of them nothing.
  const [least, reset] = [await leastCost("/livez"), await leastCost(path)];
  // Without: nine times as much for the description of the API.
  expect(reset / least).toBeLessThan(5);
});

/** A large document over HTTP/1.1, with the times that anything of its kind was written as JSON meanwhile. */
async function read(path: string, headers: Record<string, string> = {}) {
  const stringify = vi.spyOn(JSON, "stringify");
  try {
    const answer = await send(`${service.url}${path}`, {
      headers: { "accept-encoding": "gzip", ...headers },
    });
    const written = stringify.mock.results.filter(({ value }) => String(value).length > 1_000).length;
    return { answer, written };
  } finally {
    stringify.mockRestore();
  }
}

test("the description of the API is written once, and not sent again to those who have it", async () => {
  await read("/openapi.json");
  const { answer, written } = await read("/openapi.json");
  expect([answer.status, answer.headers["content-encoding"], written]).toEqual([200, "gzip", 0]);
  expect(JSON.parse(gunzipSync(answer.bytes).toString())).toMatchObject({ openapi: "3.1.0" });
  const etag = String(answer.headers.etag);
  const again = await read("/openapi.json", { "if-none-match": etag });
  expect([again.answer.status, again.answer.bytes.length]).toEqual([304, 0]);
});

test("what SCIM says of itself is written once for each provider", async () => {
  const world = new World(service);
  const owner = await world.person("owner");
  const organization = await world.create(owner, "groups", "", { name: "constant" });
  const provider = await world.create(
    owner,
    "identityProviders",
    organization,
    BODIES["identityProviders"]!(world, owner, organization),
  );
  const { base, token } = await openDirectory(world, owner, provider);
  const headers = { authorization: `Bearer ${token}` };
  for (const name of ["Schemas", "ResourceTypes", "ServiceProviderConfig"]) {
    const path = `${base.slice(service.url.length)}/${name}`;
    await read(path, headers);
    const { answer, written } = await read(path, headers);
    expect([answer.status, answer.headers["content-type"], written]).toEqual([
      200,
      "application/scim+json",
      0,
    ]);
    expect(gunzipSync(answer.bytes).toString()).toContain(`${base}/${name}`);
  }
});
