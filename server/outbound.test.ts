import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { isPublic, isRefused, outbound } from "./outbound";
import { closeServer } from "./testing/app";

let url: string;
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  if (request.url === "/away") return void response.writeHead(302, { location: `${url}/here` }).end();
  if (request.url === "/long") return void response.end("x".repeat(1_000_001));
  if (request.url === "/stalls") return void response.write("{");
  if (request.url === "/nothing") return void response.writeHead(204).end();
  response.end(`${request.method} here`);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => closeServer(server));

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fd00::1",
  "::ffff:10.0.0.1",
  "::10.0.0.1",
  "64:ff9b:1::10.0.0.1",
  "64:ff9b::a00:1",
  "2002:a00:1::",
  "not an address",
])("%s is no address on the internet", (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])("%s is one", (address) => {
  expect(isPublic(address)).toBe(true);
});

test("what a tenant names leads to nothing private, under whatever name and notation", async () => {
  const get = outbound({ anywhere: false });
  const { port } = new URL(url);
  for (const address of [
    url,
    `https://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    `https://[::1]:${port}`,
    `https://[::ffff:127.0.0.1]:${port}`,
    `https://2130706433:${port}`,
    `https://0x7f.1:${port}`,
  ]) {
    const error: unknown = await get(address).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    expect([address, isRefused(error)]).toEqual([address, true]);
  }
  expect(asked).toBe(0);
});

test("a whole answer, or none: no redirect, nothing long, nothing that stalls", async () => {
  const get = outbound({ anywhere: true });
  expect(await (await get(`${url}/here`, { method: "POST", body: "x" })).text()).toBe("POST here");
  expect((await get(`${url}/nothing`)).status).toBe(204);
  await expect(get(`${url}/away`)).rejects.toThrow("fetch failed");
  await expect(get(`${url}/long`)).rejects.toThrow("returned more than 1000000 bytes");
  await expect(outbound({ anywhere: true, milliseconds: 300 })(`${url}/stalls`)).rejects.toThrow(
    "took too long",
  );
});
