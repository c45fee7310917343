import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { readPrivateHost, type PrivateHost } from "./addresses";
import type { Resolve } from "./names";
import { isRefused, outbound } from "./outbound";
import { closeServer } from "./testing/site";

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

const hosts = (...texts: string[]): PrivateHost[] =>
  texts.map((text) => readPrivateHost(text) ?? expect.unreachable(text));
const failureOf = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);
const resolving =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
const unresolved: Resolve = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));

test("a listed name leads to its private addresses, over https only, and to no cloud's own", async () => {
  asked = 0;
  const to = (address: string, ...found: string[]) =>
    failureOf(
      outbound({
        anywhere: false,
        privateHosts: hosts("*.corp.example", "127.0.0.0/8"),
        resolve: resolving(...found),
        milliseconds: 300,
      })(address),
    ).then(isRefused);
  const { port } = new URL(url);
  // Reached, where no TLS is spoken.
  expect(await to(`https://idp.corp.example:${port}/`, "127.0.0.1")).toBe(false);
  expect(await to(`https://127.0.0.1:${port}/`)).toBe(false);
  expect(await to(`http://127.0.0.1:${port}/`)).toBe(true);
  expect(await to("https://idp.corp.example/", "10.255.0.1", "169.254.169.254")).toBe(true);
  expect(await to("https://idp.corp.example/", "fd00:ec2::254")).toBe(true);
  expect(await to("https://other.example/", "10.255.0.1")).toBe(true);
  expect(asked).toBe(0);
});

afterEach(() => vi.unstubAllEnvs());

test("through a proxy, nothing is reached that is refused without, and no literal address", async () => {
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  vi.stubEnv("NO_PROXY", "direct.example");
  const get = async (host: string, resolve: Resolve) => {
    tunnels.length = 0;
    const privateHosts = hosts("idp.corp.example", "10.1.0.0/16");
    const request = outbound({ anywhere: false, privateHosts, resolve, milliseconds: 2_000 });
    const error = await failureOf(request(`https://${host}/`));
    return isRefused(error) ? "refused" : tunnels.join();
  };
  const [open, closed] = [resolving("93.184.215.14"), resolving("10.2.0.1")];
  expect(await get("hooks.example.com", open)).toBe("hooks.example.com:443");
  expect(await get("hooks.example.com", resolving("10.1.0.1"))).toBe("hooks.example.com:443");
  expect(await get("hooks.example.com", closed)).toBe("refused");
  expect(await get("hooks.example.com", resolving("93.184.215.14", "169.254.169.254"))).toBe("refused");
  expect(await get("idp.corp.example", closed)).toBe("idp.corp.example:443");
  // Only the proxy can resolve: it is asked for names that the operator listed.
  expect(await get("idp.corp.example", unresolved)).toBe("idp.corp.example:443");
  expect(await get("hooks.example.com", unresolved)).toBe("");
  expect(await get("93.184.215.14", open)).toBe("refused");
  expect(await get("10.1.0.1", open)).toBe("refused");
  expect(await get("direct.example", closed)).toBe("refused");
  expect(tunnels).toEqual([]);
  await closeServer(proxy);
});
