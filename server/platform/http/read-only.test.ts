import { afterAll, beforeAll, expect, test } from "vitest";

import { errorInfo } from "platform-contract/status";

import { openSignIn, signIn } from "../oidc/testing";
import { startService, type TestService } from "../../testing/service";

const OWNER = { email: "owner@example.com", password: "correct horse battery" };
let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startService({
    READ_ONLY: "1",
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    SIGN_UP: "open",
  });
  token = await service.token("reader");
});
afterAll(() => service.stop());

test("people sign in and read; writes get 503 with the reason, and leave nothing", async () => {
  const { accessToken } = await signIn(service.url, OWNER);
  const read = await service.call("GET", "/iam/v2/groups", { token: accessToken });
  expect(read.status).toBe(200);
  const entries = async () => {
    const [row] = await service.database.query<{ count: string }>(
      "select count(*) as count from audit_entries",
    );
    return Number(row?.count);
  };
  const before = await entries();
  for (const [method, path, body] of [
    ["POST", "/iam/v2/groups", { name: "acme" }],
    ["PATCH", "/iam/v2/identities:updateIdentityMetadata", {}],
  ] as const) {
    const { status, json, headers } = await service.call(method, path, { token, body });
    expect([status, errorInfo(json)?.metadata?.["reason"], headers["retry-after"]]).toEqual([
      503,
      "READ_ONLY",
      "60",
    ]);
  }
  expect(await entries()).toBe(before);
  const groups = await service.database.query("select uid from groups");
  expect(groups).toEqual([]);
});

test("nobody creates an account or changes one, and the console knows why", async () => {
  const { page, browser } = await openSignIn(service.url);
  const answer = await browser.submit(`${page.url}/create-account`, {
    name: "Ada",
    email: "ada@example.com",
    password: "correct horse battery",
  });
  expect([answer.status, answer.body]).toEqual([503, expect.stringContaining("read-only")]);
  const config = await (await fetch(`${service.url}/config.json`)).json();
  expect(config).toMatchObject({ readOnly: true });
});
