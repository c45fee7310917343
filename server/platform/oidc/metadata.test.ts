import { afterAll, beforeAll, expect, test } from "vitest";

import { freePort } from "../../testing/free-port";
import { startService, type TestService } from "../../testing/service";

let service: TestService;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  service = await startService({ PUBLIC_URL: `${origin}/tools`, PORT: String(port) });
});
afterAll(() => service.stop());

test("its metadata is at the address of RFC 8414, whether or not a proxy strips the path", async () => {
  const read = async (path: string) => {
    const answer = await fetch(`${origin}${path}`);
    return [answer.status, ((await answer.json()) as { issuer?: string }).issuer];
  };
  for (const path of [
    "/tools/oidc/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server/tools/oidc",
    "/tools/.well-known/oauth-authorization-server/oidc",
    "/.well-known/oauth-authorization-server/oidc?x=1",
  ])
    expect([path, ...(await read(path))]).toEqual([path, 200, `${origin}/tools/oidc`]);
  const [status] = await read("/.well-known/oauth-authorization-server/other");
  expect(status).toBe(404);
});
