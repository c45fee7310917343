import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { gunzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { endpoints } from "platform-contract";

import { callerWith, send, startApp, type TestApp } from "../../testing/app";

const ROOT = "ab".repeat(20);
const CHILD = `${ROOT}/${"cd".repeat(8)}`;
const everything = [...new Set(endpoints.flatMap(({ access }) => access.needs))];
const signedIn = { authorization: "Bearer good" };

let app: TestApp;
const to = (path: string) => `${app.url}${path}`;

beforeAll(async () => {
  const environment = { CONSOLE_URLS: "https://other.example/console/" };
  app = await startApp({ caller: callerWith(everything, [ROOT]), environment });
});
afterAll(() => app.stop());

describe("transport", () => {
  test("HEAD is GET without the body, OPTIONS names the methods", async () => {
    const head = await send(to(`/iam/v2/groups/${CHILD}`), { method: "HEAD", headers: signedIn });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    const options = await send(to(`/iam/v2/groups/${CHILD}`), { method: "OPTIONS" });
    expect(options.status).toBe(204);
    expect(options.headers.allow).toBe("GET, HEAD, POST, PATCH, DELETE, OPTIONS");
  });

  test("large answers are packed for those who can unpack them", async () => {
    const large = await startApp({ handler: () => Promise.resolve({ items: Array(500).fill("item") }) });
    const packed = await send(`${large.url}/ping/v2/ping`, {
      headers: { ...signedIn, "accept-encoding": "gzip, br" },
    });
    const plain = await send(`${large.url}/ping/v2/ping`, { headers: signedIn });
    await large.stop();
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.headers.vary).toBe("origin, accept-encoding");
    const small = await send(to("/ping/v2/ping"), { headers: { ...signedIn, "accept-encoding": "gzip" } });
    expect(small.headers["content-encoding"]).toBeUndefined();
  });

  test("every answer carries the security headers and is not stored", async () => {
    for (const path of ["/ping/v2/ping", "/iam/v2/unicorns"]) {
      const { headers } = await send(to(path), { headers: signedIn });
      expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("same-origin");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["strict-transport-security"]).toBeUndefined();
    }
  });
});

describe("the log", () => {
  /** Returns the lines that `work` logs, after the last of `count` requests. */
  async function linesOf(count: number, work: (url: string) => Promise<unknown>) {
    const lines: Record<string, unknown>[] = [];
    let done = () => {};
    const logged = new Promise<void>((resolve) => (done = resolve));
    const stream = {
      write(line: string) {
        lines.push(JSON.parse(line) as Record<string, unknown>);
        if (lines.filter(({ msg }) => msg === "request").length === count) done();
      },
    };
    const handler = () => Promise.reject(new Error("a bug"));
    const logging = await startApp({ handler, app: { log: pino({}, stream) } });
    await work(logging.url);
    await logged;
    await logging.stop();
    return lines;
  }

  test("has one line a request with its id, and what went wrong inside under the same id", async () => {
    const headers = { ...signedIn, "x-request-id": "seven" };
    const lines = await linesOf(1, (url) => send(`${url}/ping/v2/ping`, { headers }));
    const request = lines.find(({ msg }) => msg === "request");
    expect(request).toMatchObject({ requestId: "seven", method: "GET", path: "/ping/v2/ping", status: 500 });
    const failure = lines.find(({ msg }) => msg === "unexpected failure");
    expect(failure).toMatchObject({ requestId: "seven", err: { message: "a bug" } });
  });

  test("does not take a body that was cut off for a failure of ours", async () => {
    const lines = await linesOf(1, async (url) => {
      const headers = { ...signedIn, "content-length": "9", expect: "100-continue" };
      const request = httpRequest(`${url}/iam/v2/groups`, { method: "POST", headers });
      request.on("error", () => {});
      request.flushHeaders();
      await once(request, "continue");
      request.destroy();
    });
    expect(lines.map(({ msg, aborted }) => [msg, aborted])).toEqual([["request", true]]);
  });

  test("holds no token, whatever it came in", async () => {
    const lines = await linesOf(2, async (url) => {
      await send(`${url}/iam/v2/groups?page_token=secret-token`, { headers: signedIn });
      await send(`${url}/oidc/session/end?id_token_hint=secret-token`, {
        headers: { cookie: "secret-token" },
      });
    });
    expect(JSON.stringify(lines)).not.toMatch(/secret-token|good/);
  });
});

describe("other origins", () => {
  const origin = "https://other.example";

  test("a registered console may ask, refusals included", async () => {
    for (const headers of [signedIn, {}]) {
      const answer = await send(to("/ping/v2/ping"), { headers: { ...headers, origin } });
      expect(answer.headers["access-control-allow-origin"]).toBe(origin);
      expect(answer.headers["access-control-expose-headers"]).toBe(
        "x-request-id, retry-after, www-authenticate, date",
      );
      expect(answer.headers.vary).toContain("origin");
    }
  });

  test("its preflight is answered without a token", async () => {
    const answer = await send(to(`/iam/v2/groups/${CHILD}`), {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization",
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-methods"]).toContain("PATCH");
    expect(answer.headers["access-control-allow-headers"]).toContain("authorization");
    expect(answer.headers["access-control-max-age"]).toBe("7200");
  });

  test("anybody else gets no permission", async () => {
    for (const method of ["GET", "OPTIONS"]) {
      const headers = { ...signedIn, origin: "https://evil.example", "access-control-request-method": "GET" };
      const answer = await send(to("/ping/v2/ping"), { method, headers });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(answer.headers["access-control-allow-methods"]).toBeUndefined();
    }
  });
});
