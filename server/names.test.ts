import { createSocket, type Socket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { createResolve, type Resolve } from "./names";
import { isRefused, outbound } from "./outbound";

let server: Socket;
let resolve: Resolve;
const asked: string[] = [];

beforeAll(async () => {
  server = createSocket("udp4");
  server.on("message", (query, { port }) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, port, "127.0.0.1");
  });
  await new Promise<void>((done) => server.bind(0, "127.0.0.1", done));
  resolve = createResolve({ servers: [`127.0.0.1:${(server.address() as AddressInfo).port}`] });
});
afterAll(() => new Promise<void>((done) => server.close(() => done())));

const IPV4 = 1;

/** The response to a query (RFC 1035, section 4): nothing for names below slow.example, one address or no such name. */
function answerTo(query: Buffer): Buffer | undefined {
  let at = 12;
  const labels: string[] = [];
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const name = labels.join(".");
  asked.push(name);
  if (name.endsWith("slow.example")) return undefined;
  const type = query.readUInt16BE(at + 1);
  const found = name === "quick.example" && type === IPV4;
  const code = name === "quick.example" ? 0x8180 : 0x8183;
  const head = Buffer.from(query.subarray(0, at + 5));
  head.writeUInt16BE(code, 2);
  head.writeUInt16BE(Number(found), 6);
  head.writeUInt32BE(0, 8);
  // A pointer to the name in the question, the type, the class IN, a minute, four bytes.
  const record = [0xc0, 12, 0, IPV4, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1];
  return Buffer.concat([head, Buffer.from(found ? record : [])]);
}

const pendingLookups = () =>
  process.getActiveResourcesInfo().filter((name) => name === "GetAddrInfoReqWrap").length;

test("names whose name server does not answer hold none of the process's threads, and delay no other name", async () => {
  const get = outbound({ anywhere: false, resolve });
  const slow = Array.from({ length: 64 }, (_, index) => get(`https://${index}.slow.example/`));
  const failures = Promise.allSettled(slow);
  await vi.waitFor(() => expect(new Set(asked.filter((name) => name.includes("slow"))).size).toBe(64));
  expect(pendingLookups()).toBe(0);
  expect(await resolve("quick.example")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  const error: unknown = await get("https://quick.example/").catch((failure: unknown) => failure);
  expect(isRefused(error)).toBe(true);
  expect((await failures).every(({ status }) => status === "rejected")).toBe(true);
});

test("what a tenant names is by default not resolved by the system's own calls", async () => {
  const get = outbound({ anywhere: false });
  const done = get("https://name.example/").catch(() => {});
  await new Promise((next) => setImmediate(next));
  expect(pendingLookups()).toBe(0);
  await done;
});

test("a name without addresses does not exist; one whose name server fails may", async () => {
  await expect(resolve("nobody.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(resolve("more.slow.example")).rejects.toMatchObject({ code: "ETIMEOUT" });
});
