import { brotliCompressSync } from "node:zlib";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { send, startApp, type TestApp } from "../../testing/app";
import { personUid } from "../store/uids";
import { codingFor, readPage, textFile } from "./console-files";

const ASSET = "/assets/main-Ab12Cd34.js";
const asPage = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let directory: string;
let app: TestApp;
let below: TestApp;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "console-"));
  cpSync(fileURLToPath(new URL("../../testing/console", import.meta.url)), directory, { recursive: true });
  mkdirSync(join(directory, ".vite"));
  writeFileSync(join(directory, ".vite/manifest.json"), "{}");
  writeFileSync(join(directory, `${ASSET}.br`), brotliCompressSync("packed"));
  app = await startApp({ app: { consoleDirectory: directory } });
  below = await startApp({ basePath: "/tools/console", app: { consoleDirectory: directory } });
});
afterAll(async () => {
  await Promise.all([app.stop(), below.stop()]);
  rmSync(directory, { recursive: true });
});

describe("the page", () => {
  test.each([
    "/",
    "/identities",
    `/groups/${"ab".repeat(20)}_${"cd".repeat(8)}`,
    "/index.html",
    // Copied from a sentence or mistyped: the console reports that they do not exist.
    `/repos/${"ab".repeat(20)}.`,
    "/groups.",
    "/tags/1.29.4",
    "/repos/v2",
    "/repos/v2/xyz",
    "/iam",
    "/api",
  ])("stands at %s", async (path) => {
    const answer = await send(`${app.url}${path}`, { headers: asPage });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.bytes.toString()).toContain('<base href="/" />');
  });

  test("has a policy without anything unsafe", async () => {
    const { headers } = await send(app.url, { headers: asPage });
    expect(headers["content-security-policy"]).toBe(
      `default-src 'self'; connect-src 'self' ${app.url}; object-src 'none'; base-uri 'self'; frame-ancestors 'none'`,
    );
  });

  test("is confirmed to those who have it", async () => {
    const first = await send(app.url, { headers: asPage });
    const again = await send(app.url, {
      headers: { ...asPage, "if-none-match": String(first.headers.etag) },
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test("never stands in for a file, for data or for a write", async () => {
    for (const [path, options] of [
      ["/assets/gone-Ab12Cd34.js", { headers: asPage }],
      ["/.vite/manifest.json", { headers: { accept: "*/*" } }],
      ["/missing.png", { headers: { accept: "image/*,*/*;q=0.8" } }],
      ["/iam/v2/nothing", { headers: asPage }],
      ["/api", { headers: { accept: "*/*" } }],
      ["/iam/v1", { headers: asPage }],
      // Meant as operations, or as documents that programs look for.
      ["//iam/v2", { headers: asPage }],
      ["//iam/v2/groups", { headers: asPage }],
      ["/IAM/v2", { headers: asPage }],
      ["/iam/V2/groups", { headers: asPage }],
      ["/.well-known/nothing", { headers: asPage }],
      ["/.well-known/openid-configuration", { headers: asPage }],
      // A program with a wrong prefix gets the error, not a page.
      ["/nowhere/v2/groups", { headers: { accept: "*/*" } }],
      ["/identities", { headers: { accept: "application/json" } }],
      ["/identities", { method: "POST", headers: asPage }],
      ["/favicon.svg", { method: "PUT", headers: asPage }],
      ["/config.json", { method: "DELETE", headers: asPage }],
    ] as const) {
      const answer = await send(`${app.url}${path}`, options);
      expect([answer.status, answer.json.code]).toEqual([404, 5]);
    }
  });

  test("under another name of the machine sends to the public address, and the API does not", async () => {
    for (const host of ["localhost:1", "evil.example"]) {
      const page = await send(`${app.url}/groups?order=name`, { headers: { ...asPage, host } });
      expect([page.status, page.headers.location]).toEqual([307, `${app.url}/groups?order=name`]);
      const api = await send(`${app.url}/ping/v2/ping`, { headers: { authorization: "Bearer good", host } });
      expect(api.status).toBe(200);
    }
  });

  test("believes a forwarded host only behind a trusted proxy, and never sends round in circles", async () => {
    const headers = { ...asPage, host: "inside" };
    expect((await send(app.url, { headers })).status).toBe(307);
    expect(
      (await send(app.url, { headers: { ...headers, "x-forwarded-host": "evil.example" } })).status,
    ).toBe(200);
    const proxied = await startApp({
      environment: { TRUST_PROXY: "1" },
      app: { consoleDirectory: directory },
    });
    const through = (host: string) =>
      send(proxied.url, { headers: { ...headers, "x-forwarded-host": host } });
    const right = await through(new URL(proxied.url).host);
    const wrong = await through("evil.example");
    await proxied.stop();
    expect([right.status, wrong.status]).toEqual([200, 307]);
  });

  test("says what to do when the console is not built", async () => {
    const bare = await startApp({ app: { consoleDirectory: join(directory, "nowhere") } });
    const answer = await send(bare.url, { headers: asPage });
    await bare.stop();
    expect([answer.status, answer.json.message]).toEqual([
      503,
      "The console is not built: run npm run build",
    ]);
  });
});

describe("files", () => {
  test("with a hash in their name are kept for ever, in the coding the client takes", async () => {
    const plain = await send(`${app.url}${ASSET}`);
    expect(plain.bytes.toString()).toContain("as it was written");
    expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(plain.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    const packed = await send(`${app.url}${ASSET}`, { headers: { "accept-encoding": "gzip, deflate, br" } });
    expect(packed.headers["content-encoding"]).toBe("br");
    expect(packed.headers.vary).toContain("accept-encoding");
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
  });

  test("without one are asked for again", async () => {
    const { headers } = await send(`${app.url}/favicon.svg`);
    expect([headers["cache-control"], headers["content-type"]]).toEqual(["no-cache", "image/svg+xml"]);
  });

  test("of the build's own stay inside", async () => {
    for (const path of ["/.manifest.json", `${ASSET}.br`, "/../package.json", "/..%2f..%2fpackage.json"])
      expect((await send(app.url, { target: path })).bytes.toString()).not.toMatch(/secret|dependencies/);
  });

  test("are packed as the client wants, or not at all", () => {
    const file = textFile("{}", ".json");
    expect(codingFor(file, "gzip, br")).toBe("br");
    expect(codingFor(file, "gzip;q=1, br;q=0")).toBe("gzip");
    expect(codingFor(file, "")).toBe("identity");
  });
});

test("config.json says where API and issuer are", async () => {
  const answer = await send(`${app.url}/config.json`, { headers: { "accept-encoding": "identity" } });
  expect(answer.headers["cache-control"]).toBe("no-cache");
  expect(answer.json).toEqual({
    apiBaseUrl: app.url,
    idempotencyKeys: true,
    auditLog: true,
    eventsLog: true,
    imagePackages: true,
    snapshotSignatures: true,
    tokenExchange: true,
    accessRequests: true,
    accessDecisions: true,
    readOnlyTokens: true,
    guardRails: true,
    eligibleGrants: true,
    accessReviews: true,
    changeJustifications: true,
    validateOnly: true,
    readTime: true,
    notices: true,
    retention: true,
    capabilityUse: true,
    pushedGroups: true,
    providerSetup: true,
    oidc: { authority: `${app.url}/oidc`, clientId: "console", scope: "openid profile email offline_access" },
    trustedIssuers: [],
  });
});

test("config.json names the audience of pull tokens with a registry, and its usage where pulls are told", async () => {
  const registry = { REGISTRY_URL: "http://localhost:5000" };
  const silent = await startApp({ environment: registry });
  const told = await startApp({ environment: { ...registry, REGISTRY_EVENTS_SECRET: "secret-of-sixteen" } });
  const [one, other] = await Promise.all(
    [silent, told].map(async ({ url }) => (await send(`${url}/config.json`)).json),
  );
  expect(one).toMatchObject({ registryAudience: `${silent.url}/registry`, registryImages: true });
  expect(one).not.toHaveProperty("registryUsage");
  expect(other).toMatchObject({ registryUsage: true });
  await Promise.all([silent.stop(), told.stop()]);
});

test("config.json names the client automation as a machine while it has a secret", async () => {
  const other = await startApp({ environment: { AUTOMATION_CLIENT_SECRET: "a secret of automation" } });
  const { json } = await send(`${other.url}/config.json`);
  expect(json["machineIdentities"]).toEqual([personUid(`${other.url}/oidc`, "automation")]);
  expect(json["machineClients"]).toEqual(["automation"]);
  await other.stop();
});

test("the page has the content of config.json as data, which no value in it can end", async () => {
  const page = (await send(`${app.url}/`, { headers: asPage })).bytes.toString();
  const [, data = ""] = /<script type="application\/json" id="config">(.*?)<\/script>/.exec(page) ?? [];
  expect(JSON.parse(data)).toEqual((await send(`${app.url}/config.json`)).json);

  const hostile = JSON.stringify({ title: "</script><script>alert(1)</script><!--" });
  const text = readPage(directory, "/", hostile, "A & B <i>")?.identity.toString() ?? "";
  expect(text.match(/<\/script>/g)).toHaveLength(page.match(/<\/script>/g)?.length ?? 0);
  expect(text).not.toContain("<!--");
});

describe("below a base path", () => {
  const origin = () => new URL(below.url).origin;

  test("page, files, configuration, API and provider stand there", async () => {
    const page = await send(`${below.url}/identities`, { headers: asPage });
    expect(page.bytes.toString()).toContain('<base href="/tools/console/" />');
    expect((await send(`${below.url}${ASSET}`)).status).toBe(200);
    const config = (await send(`${below.url}/config.json`)).json;
    expect(config["apiBaseUrl"]).toBe(below.url);
    const signedIn = { headers: { authorization: "Bearer good" } };
    expect((await send(`${below.url}/ping/v2/ping`, signedIn)).status).toBe(200);
    expect((await send(`${below.url}/oidc/token`)).json["answeredBy"]).toBe("provider");
  });

  test("also where a proxy has taken the path away", async () => {
    for (const [path, status] of [
      ["/identities", 200],
      [ASSET, 200],
      ["/openapi.json", 200],
      ["/ping/v2/ping", 401],
    ] as const)
      expect((await send(`${origin()}${path}`, { headers: asPage })).status).toBe(status);
    expect((await send(`${origin()}/oidc/token`)).json["answeredBy"]).toBe("provider");
  });

  test("without its last slash it sends to the page", async () => {
    const answer = await send(below.url, { headers: asPage });
    expect([answer.status, answer.headers.location]).toEqual([307, `${below.url}/`]);
  });
});

test("https promises https", async () => {
  const secure = await startApp({
    environment: { PUBLIC_URL: "https://console.example" },
    app: { consoleDirectory: directory },
  });
  // The server itself listens on loopback, behind a TLS proxy.
  const target = `http://127.0.0.1:${secure.port}/openapi.json`;
  const { headers } = await send(target);
  await secure.stop();
  expect(headers["strict-transport-security"]).toBe("max-age=31536000");
});
