import { expect, test } from "vitest";

import { readConfig } from "../../config";
import { listenFirst, send } from "../../testing/app";
import { closeServer } from "../../testing/site";
import { refuseAll } from "./starting";

test("while the service starts, programs get the structured error and browsers a page that loads itself again", async () => {
  const { origin, serve, server } = await listenFirst();
  serve(
    refuseAll(readConfig({ PUBLIC_URL: origin, BRAND_TITLE: "Acme <Images>" }), "The service is starting"),
  );
  const program = await send(`${origin}/iam/v2/groups`);
  expect([program.status, program.json]).toMatchObject([
    503,
    { code: 14, message: "The service is starting" },
  ]);
  const response = await fetch(`${origin}/identities?drawer=create`, {
    headers: { accept: "text/html,*/*;q=0.8" },
  });
  expect([
    response.status,
    response.headers.get("content-type"),
    response.headers.get("retry-after"),
  ]).toEqual([503, "text/html; charset=utf-8", "1"]);
  const text = await response.text();
  expect(text).toContain('<meta http-equiv="refresh" content="1" />');
  expect(text).toContain("<h1>The service is starting</h1>");
  expect(text).toContain("Acme &lt;Images&gt; is ready");
  expect(response.headers.get("content-security-policy")).toMatch(/style-src 'sha256-/);
  await closeServer(server);
});
