import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { endpoints } from "platform-contract";
import { pathOf } from "platform-contract/endpoint";
import { UNSERVED } from "platform-contract/unserved";
import { errorInfo, fieldViolations } from "platform-contract/status";

import { QUERIES } from "../../conformance/operation-bodies";
import { ARTIFACT } from "../../conformance/world";
import { permissionDenied } from "../../status";
import { callerWith, send, startApp, type TestApp } from "../../testing/app";

const ROOT = "ab".repeat(20);
const CHILD = `${ROOT}/${"cd".repeat(8)}`;
const everything = [...new Set(endpoints.flatMap(({ access }) => access.needs))];
const signedIn = { authorization: "Bearer good" };
const asJson = { ...signedIn, "content-type": "application/json" };
const fields = (answer: { json: Parameters<typeof fieldViolations>[0] }) =>
  fieldViolations(answer.json).map(({ field }) => field);

let app: TestApp;
const to = (path: string) => `${app.url}${path}`;
const DIGEST = `sha256:${"0".repeat(64)}`;
const last = () => app.calls.at(-1)?.call;

beforeAll(async () => {
  app = await startApp({ caller: callerWith(everything, [ROOT]) });
});
afterAll(() => app.stop());

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))("%s", (id, endpoint) => {
  const url = () => to(pathOf(endpoint, { uid: CHILD, parent: CHILD, digest: DIGEST, artifactId: ARTIFACT }));
  const { method } = endpoint;

  test("without a token: 401 with a status and a challenge", async () => {
    const answer = await send(url(), { method });
    expect(answer.status).toBe(401);
    expect(answer.json.code).toBe(16);
    expect(errorInfo(answer.json)?.domain).toBe(`${endpoint.path.split("/")[1]}.platform.example`);
    expect(answer.headers["www-authenticate"]).toBe(`Bearer realm="${app.url}"`);
    expect(answer.headers["x-request-id"]).toMatch(/./);
  });

  test("with a token that is not valid: 401 that says so", async () => {
    const answer = await send(url(), { method, headers: { authorization: "Bearer bad" } });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toContain('error="invalid_token"');
  });

  test("with a token: the handler, and only this one", async () => {
    const required = new URLSearchParams(QUERIES[id]);
    const answer = await send(`${url()}?${required}`, { method, headers: signedIn });
    expect(answer.status).toBe(200);
    // For operations that share a path, the host responds.
    expect(app.calls.at(-1)?.id).toBe(endpoint.shares ?? id);
    if (endpoint.answer) expect(answer.json).toEqual({});
    else expect(answer.bytes).toHaveLength(0);
  });

  test("another method: 501 with a status", async () => {
    const answer = await send(url(), { method: "PUT", headers: signedIn });
    expect([answer.status, answer.json.code]).toEqual([501, 12]);
    expect(answer.headers.allow).toContain(method);
  });
});

describe("authorization is read from the endpoint", () => {
  test("a capability that is missing: 403, before query and body are looked at", async () => {
    const answer = await send(to("/iam/v2/identities/" + "ef".repeat(20) + "?colour=%ff"), {
      method: "POST",
      headers: asJson,
      body: "{",
    });
    expect([answer.status, answer.json.code]).toEqual([403, 7]);
    expect(errorInfo(answer.json)?.metadata["capability"]).toBe("CAP_IAM_IDENTITY_CREATE");
  });

  test("what is no uid or no digest: 400 at the variable of the path", async () => {
    const digest = (uid: string, text: string) =>
      send(to(`/registry/v2/repos/${uid}/digests/${text}/size`), { headers: signedIn });
    expect(fields(await digest(CHILD, "latest"))).toEqual(["digest"]);
    expect(fields(await digest("acme", "latest"))).toEqual(["uid", "digest"]);
    expect(fields(await send(to("/iam/v2/groups/acme"), { headers: signedIn }))).toEqual(["uid"]);
    expect(fields(await send(to("/iam/v2/groups/%ff%zz"), { headers: signedIn }))).toEqual(["uid"]);
    expect(fields(await send(to("/iam/v2/groups/"), { headers: signedIn }))).toEqual(["uid"]);
    expect(fields(await send(to("/iam/v2/identities"), { method: "POST", headers: asJson }))).toEqual([
      "parent",
    ]);
  });

  test("an organization is created under no parent", async () => {
    for (const path of ["/iam/v2/groups", "/iam/v2/groups/"]) {
      const answer = await send(to(path), { method: "POST", headers: asJson, body: '{"name":"acme"}' });
      expect(answer.status).toBe(200);
      expect(last()?.path).toEqual({ uid: "", parent: "" });
    }
  });

  test("an encoded slash is a slash", async () => {
    await send(to(`/iam/v2/groups/${CHILD.replace("/", "%2F")}`), { headers: signedIn });
    expect(last()?.path.uid).toBe(CHILD);
  });
});

describe("errors of every origin are statuses", () => {
  test("an unknown path: 404", async () => {
    for (const path of ["/iam/v2/unicorns", "/iam/v1/groups", "/registry/v2/unicorns"]) {
      const answer = await send(to(path), { headers: { ...signedIn, accept: "text/html" } });
      expect([answer.status, answer.json.code]).toEqual([404, 5]);
    }
    expect(errorInfo((await send(to("/registry/v2/unicorns"))).json)?.domain).toBe(
      "registry.platform.example",
    );
  });

  test("what is unexpected: 500 with the request id and nothing of the inside", async () => {
    const broken = await startApp({ handler: () => Promise.reject(new Error("secret column")) });
    const answer = await send(`${broken.url}/ping/v2/ping`, {
      headers: { ...signedIn, "x-request-id": "my-id.1" },
    });
    await broken.stop();
    expect([answer.status, answer.json.code]).toEqual([500, 13]);
    expect(answer.bytes.toString()).not.toContain("secret");
    expect(answer.json.message).toContain("my-id.1");
    expect(answer.headers["x-request-id"]).toBe("my-id.1");
  });

  test("what a handler refuses goes out as it is", async () => {
    const refusing = await startApp({ handler: () => Promise.reject(permissionDenied(["CAP_X"], ROOT)) });
    const answer = await send(`${refusing.url}/ping/v2/ping`, { headers: signedIn });
    await refusing.stop();
    expect(answer.status).toBe(403);
    expect(errorInfo(answer.json)?.metadata).toEqual({ capability: "CAP_X", resource: ROOT });
  });

  test.each([
    ["a host that is none", { headers: { host: "a b" } }],
    ["a backslash", { target: "/iam\\v2" }],
    ["an address that is none", { target: "http://[/" }],
  ])("%s: 400", async (_name, options) => {
    const answer = await send(app.url, options);
    expect([answer.status, answer.json.code]).toEqual([400, 3]);
    expect(answer.headers["x-request-id"]).toMatch(/./);
  });

  test("headers without end: 431 with a status", async () => {
    const answer = await send(to("/openapi.json"), { headers: { "x-long": "x".repeat(70_000) } });
    expect([answer.status, answer.json.code]).toEqual([431, 3]);
  });

  test("a request id that no log line should hold is replaced", async () => {
    const answer = await send(to("/openapi.json"), { headers: { "x-request-id": "a\tb" } });
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test.each(UNSERVED.map(({ path }) => path))("%s is published but not here: UNIMPLEMENTED", async (path) => {
  for (const method of ["GET", "POST", "PATCH"]) {
    const body = method === "GET" ? {} : { body: "{}" };
    const answer = await send(to(path.replace("{uid}", CHILD)), { method, headers: asJson, ...body });
    expect(answer.status).toBe(501);
    expect(answer.json.code).toBe(12);
    expect(errorInfo(answer.json)?.domain).toBe(`${path.split("/")[1]}.platform.example`);
  }
});

test.each(["/sts/x", "/sts", "/v2/", "/v2", "/metrics", "/api/", "/api/v1/x", "/iam/v2/x"])(
  "%s is no page, whoever asks",
  async (path) => {
    const answer = await send(to(path), { headers: { accept: "text/html,*/*;q=0.8" } });
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.status).toBe(404);
    expect(answer.json.details).toHaveLength(1);
  },
);
