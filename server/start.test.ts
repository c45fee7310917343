import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ConfigError } from "./config";
import { createLog } from "./log";
import { start } from "./start";
import { send } from "./testing/app";
import { startService, type TestService } from "./testing/service";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe("the whole service", () => {
  test("says that it is well, and answers with the address that it has", async () => {
    expect((await service.call("GET", "/healthz")).json).toEqual({ status: "ok" });
    const { json } = await service.call("GET", "/oidc/.well-known/openid-configuration");
    expect(json["issuer"]).toBe(`${service.url}/oidc`);
    expect((await service.call("GET", "/config.json")).json["apiBaseUrl"]).toBe(service.url);
  });

  test("knows a person by a token of its own issuer", async () => {
    const token = await service.token("ada", { email: "ada@demo.example" });
    const pong = await service.call("GET", "/ping/v2/ping", { token });
    expect(pong.json).toEqual({ response: "pong" });
    const made = await service.call("POST", "/iam/v2/groups", { token, body: { name: "meridian" } });
    expect(made.status).toBe(200);
    const listed = await service.call("GET", "/iam/v2/groups", { token });
    expect(listed.json["groups"]).toHaveLength(1);
  });

  test("knows a machine by a token of a trusted issuer, and holds nothing against it", async () => {
    const token = await service.issuer.sign({ sub: "build-7", aud: service.url });
    expect((await service.call("GET", "/iam/v2/groups", { token })).json["totalCount"]).toBe("0");
  });

  test.each([
    ["of another audience", { aud: "https://elsewhere.example" }, {}],
    ["that has expired", {}, { issuedAt: new Date("2020-01-01") }],
    ["of the wrong type", {}, { typ: "JWT" }],
  ])("refuses a token %s", async (_name, claims, options) => {
    const token = await service.token("ada", claims, options);
    expect((await service.call("GET", "/ping/v2/ping", { token })).status).toBe(401);
  });
});

describe("starting and stopping", () => {
  test("a port that is taken is said in one sentence, before any data is touched", async () => {
    const other: Server = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const started = start(
      { PORT: String(port), DATA_DIR: "/nonexistent/data" },
      { log: createLog("silent"), consoleDirectory: "/nonexistent/dist" },
    );
    await expect(started).rejects.toThrow(
      new ConfigError(
        `PORT: port ${port} of 127.0.0.1 is already in use; stop the other process or set another PORT`,
      ),
    );
    other.close();
  });

  test("what runs when it is told to stop is finished first", async () => {
    const stopping = await startService();
    const request = httpRequest(`${stopping.url}/iam/v2/groups`, {
      method: "POST",
      headers: { authorization: `Bearer ${await stopping.token("ada")}`, expect: "100-continue" },
    });
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    request.flushHeaders();
    // The service has the request and waits for its body.
    await once(request, "continue");
    const stopped = stopping.stop();
    // Reset if the system had accepted it just before.
    await expect(send(`${stopping.url}/healthz`)).rejects.toThrow(/ECONN(?:REFUSED|RESET)/);
    request.end('{"name":"acme"}');
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(200);
    await stopped;
  });

  test("a balancer is sent away first, while everybody else is served", async () => {
    const leaving = await startService({ SHUTDOWN_DELAY: "2" });
    const token = await leaving.token("ada");
    const ask = (path: string) =>
      send(`${leaving.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask("/healthz")).status).toBe(200);
    const stopped = leaving.stop();
    for (const path of ["/healthz", "/readyz"]) {
      const health = await ask(path);
      expect([health.status, health.headers["retry-after"]]).toEqual([503, "1"]);
    }
    expect((await ask("/livez")).status).toBe(200);
    expect((await ask("/iam/v2/groups/healthz")).status).toBe(400);
    const pong = await ask("/ping/v2/ping");
    expect([pong.status, pong.headers["connection"]]).toEqual([200, "close"]);
    await stopped;
    await expect(ask("/healthz")).rejects.toThrow("ECONNREFUSED");
  });
});
