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

const SPECIAL = [
  // This network, private use, shared use, loopback, link-local.
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.0",
  "10.1.2.3",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "192.168.255.255",
  // Protocol assignments, documentation, AS112, AMT, 6to4 relays, benchmarks.
  "192.0.0.1",
  "192.0.0.8",
  "192.0.0.170",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  // Multicast, reserved, broadcast.
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  // Clouds' own.
  "169.254.169.254",
  "169.254.170.2",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
  "::ffff:168.63.129.16",
  "64:ff9b::a83f:8110",
  // IPv6: unspecified, loopback, link-local, site-local, unique local, multicast, discard, documentation, SRv6.
  "::",
  "::1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fec0::1",
  "fc00::1",
  "fd00::1",
  "fdff:ffff::1",
  "ff02::1",
  "ff0e::1",
  "100::1",
  "100:0:0:1::1",
  "2001:db8::1",
  "3fff::1",
  "3fff:fff::1",
  "5f00::1",
  // IPv6 protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, drones.
  "2001::1",
  "2001:0:a00:1::1",
  "2001:1::1",
  "2001:2::1",
  "2001:3::1",
  "2001:4:112::1",
  "2001:10::1",
  "2001:20::1",
  "2001:30::1",
  "2620:4f:8000::1",
  // IPv4 in IPv6: mapped, compatible, translated, NAT64 of everybody and of one network, 6to4.
  "::ffff:10.0.0.1",
  "::ffff:7f00:1",
  "::10.0.0.1",
  "::8.8.8.8",
  "::ffff:0:10.0.0.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::10.0.0.1",
  "64:ff9b:1::8.8.8.8",
  "2002:a00:1::",
  "2002:7f00:1::1",
  "2002:808:808::1",
  // Never allocated, or no address.
  "4000::1",
  "8000::1",
  "e000::1",
  "",
  "not an address",
  "1.2.3.4.5",
];

test.each(SPECIAL)("%j is not on the internet", (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.1",
  "168.63.129.15",
  "172.15.255.255",
  "172.32.0.1",
  "192.0.1.1",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.254",
  "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
  "2001:4860:4860::8888",
  "2a00:1450:4001:810::200e",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
])("%s is on the internet", (address) => {
  expect(isPublic(address)).toBe(true);
});

test("a name that resolves to a special address is refused at connect, whatever it resolved to before", async () => {
  for (const found of ["168.63.129.16", "10.0.0.1", "64:ff9b::a00:1"]) {
    const resolve = () =>
      Promise.resolve([
        { address: "93.184.215.14", family: 4 },
        { address: found, family: found.includes(":") ? 6 : 4 },
      ]);
    const error: unknown = await outbound({ anywhere: false, resolve })("https://rebound.example/").catch(
      (failure: unknown) => failure,
    );
    expect([found, isRefused(error)]).toEqual([found, true]);
  }
});

test("with an allow list, requests go to no other host", async () => {
  const get = outbound({ anywhere: true, hosts: ["127.0.0.1"] });
  expect(await (await get(`${url}/here`)).text()).toBe("GET here");
  const before = asked;
  const error: unknown = await get(url.replace("127.0.0.1", "localhost")).catch(
    (failure: unknown) => failure,
  );
  expect([isRefused(error), asked]).toEqual([true, before]);
  asked = 0;
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
