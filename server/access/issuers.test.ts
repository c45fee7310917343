import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";

import { closeServer } from "../testing/app";
import { trustedKeys } from "./issuers";

test("tokens with made-up issuers are not as many requests to a trusted one", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keysOf = trustedKeys([url]);
  for (let more = 2; more < 10; more++) expect(keysOf(url + "/".repeat(more))).toBeUndefined();
  for (const spelling of [url, `${url}/`])
    for (let again = 0; again < 5; again++)
      await expect(keysOf(spelling)).rejects.toMatchObject({ name: "UNAVAILABLE" });
  expect(requests).toBe(2);
  await expect.poll(async () => (await keysOf(url)?.catch(() => {}), requests), { timeout: 5_000 }).toBe(3);
  await closeServer(server);
});
