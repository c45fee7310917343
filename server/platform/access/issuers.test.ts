import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";

import { closeServer } from "../../testing/site";
import { startIssuer } from "../../testing/issuer";
import { checkIssuer, trustedKeys } from "./issuers";
import { verify } from "./tokens";

afterEach(() => {
  vi.useRealTimers();
});

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Starts an issuer on loopback, whose responses `answer` writes. */
async function startServer(answer: (path: string, response: ServerResponse, url: string) => void) {
  const server = createServer((request, response) => answer(request.url ?? "", response, url));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: () => closeServer(server) };
}

const discovery = (url: string) => JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` });

test("tokens with made-up issuers are not as many requests to a trusted one", async () => {
  let requests = 0;
  const { url, stop } = await startServer((_path, response) => {
    requests += 1;
    response.writeHead(404).end();
  });
  const keysOf = trustedKeys([url]);
  for (let more = 2; more < 10; more++) expect(keysOf(url + "/".repeat(more))).toBeUndefined();
  for (const spelling of [url, `${url}/`])
    for (let again = 0; again < 5; again++)
      await expect(keysOf(spelling)).rejects.toMatchObject({ name: "UNAVAILABLE" });
  expect(requests).toBe(2);
  await expect.poll(async () => (await keysOf(url)?.catch(() => {}), requests), { timeout: 5_000 }).toBe(3);
  await stop();
});

test.each(["/.well-known/openid-configuration", "/keys"])(
  "an issuer whose %s stalls in its answer is given up after five seconds, and asked again later",
  async (stalling) => {
    const real = await startIssuer();
    let stalled: (() => void) | undefined;
    let well = false;
    const { url, stop } = await startServer(async (path, response, own) => {
      response.writeHead(200, { "content-type": "application/json" });
      if (path === stalling && !well) return void response.write("{", () => stalled?.());
      if (path === "/keys") return void response.end(await (await fetch(`${real.url}/keys`)).text());
      response.end(discovery(own));
    });
    const keysOf = trustedKeys([url]);
    const token = await real.sign({ iss: url, sub: "machine" });
    const outcome = () =>
      (keysOf(url) as ReturnType<typeof keysOf> & object)
        .then((keys) => verify(token, keys, url))
        .then(
          ({ subject }) => subject,
          (error: Error) => error.name,
        );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const begun = new Promise<void>((resolve) => (stalled = resolve));
    const first = outcome();
    await begun;
    // Anything that only the request references is garbage collected at some point: force it now.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    vi.advanceTimersByTime(5_000);
    expect(await first).toBe("UNAVAILABLE");
    // The failure is cached for a second, so that made-up tokens cause no requests.
    expect(await outcome()).toBe("UNAVAILABLE");
    well = true;
    vi.advanceTimersByTime(1_001);
    expect(await outcome()).toBe("machine");
    vi.useRealTimers();
    await stop();
    await real.stop();
  },
);

test("a document of more than a megabyte is not read to its end", async () => {
  const { url, stop } = await startServer((_path, response, own) => {
    response.writeHead(200);
    response.end(discovery(own).replace("{", `{"more":"${"x".repeat(1_000_000)}",`));
  });
  await expect(trustedKeys([url])(url)).rejects.toMatchObject({ name: "UNAVAILABLE" });
  await stop();
});

test("keys of a remote issuer are not fetched from this machine", () => {
  const check = (issuer: string, jwks_uri: unknown) => () => checkIssuer(issuer, { issuer, jwks_uri });
  for (const address of [
    "http://127.0.0.1:9200/keys",
    "https://localhost/keys",
    "https://[::ffff:127.0.0.1]/keys",
  ])
    expect(check("https://issuer.example", address)).toThrow(
      `TRUSTED_ISSUERS: https://issuer.example claims that its keys are on this machine, at ${address}`,
    );
  expect(check("https://issuer.example", "https://keys.example/keys")).not.toThrow();
  expect(check("http://127.0.0.1:8081", "http://127.0.0.1:8081/keys")).not.toThrow();
});
