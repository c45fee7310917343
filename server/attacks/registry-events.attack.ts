import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

import { cpuOf } from "../bench/cost";
import { closeServer } from "../testing/site";
import { expectUnharmed, Target } from "./target";

const SECRET = "secret-of-the-notifications";
const EVENTS = 10_000;
const IN_FLIGHT = 16;
/** Milliseconds of CPU that a notification may cost, alone and in an envelope of all. */
const ALONE_MS = 2;
const TOGETHER_MS = 0.3;

/** A registry that has nothing. */
let registry: Server;
let target: Target;
let repository: string;
let actor: string;

beforeAll(async () => {
  registry = createServer((_request, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
  await once(registry, "listening");
  const { port } = registry.address() as AddressInfo;
  target = await Target.start({
    REGISTRY_URL: `http://127.0.0.1:${port}`,
    REGISTRY_EVENTS_SECRET: SECRET,
  });
  const organization = await target.organization("told");
  const { json: repo } = await target.call("POST", `/registry/v2/repos/${organization}`, {
    body: { name: "base" },
  });
  const { json: group } = await target.call("GET", `/iam/v2/groups/${organization}`);
  const { json: identity } = await target.call("POST", `/iam/v2/identities/${organization}`, {
    body: { name: "ci", claimMatch: { issuer: "https://issuer.example", subject: "ci" } },
  });
  repository = `${group["namespace"]}/base`;
  actor = identity["uid"] ?? "";
  expect([repo["name"], actor]).toEqual(["base", expect.stringContaining("/")]);
});
afterAll(async () => {
  await target.stop();
  await closeServer(registry);
});

let made = 0;
const event = (action: "pull" | "push") => ({
  id: `${action}-${(made += 1)}`,
  timestamp: new Date().toISOString(),
  action,
  target: {
    repository,
    tag: `v${made % 500}`,
    digest: `sha256:${(made % 500).toString(16).padStart(64, "0")}`,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
  },
  request: { method: "GET" },
  actor: { name: actor },
});

async function tell(events: readonly object[]): Promise<void> {
  const answer = await fetch(`${target.service.url}/registry/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json" },
    body: JSON.stringify({ events }),
  });
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
}

const many = (action: "pull" | "push") => Array.from({ length: EVENTS }, () => event(action));

/** Sends what there is, so many at once. */
async function tellAlone(events: readonly object[]): Promise<void> {
  const left = events.values();
  const work = async () => {
    for (const one of left) await tell([one]);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

const cpuMs = (): number => cpuOf(target.service.pid ?? 0);

test.each([
  ["10,000 pulls in one envelope", TOGETHER_MS, () => tell(many("pull"))],
  ["10,000 pushes in one envelope", TOGETHER_MS, () => tell(many("push"))],
  ["10,000 pulls, one by one", ALONE_MS, () => tellAlone(many("pull"))],
] as const)(
  "%s",
  async (what, most, attack) => {
    await attack();
    const before = cpuMs();
    await attack();
    // What is written afterwards belongs to it.
    await sleep(1_000);
    const each = (cpuMs() - before) / EVENTS;
    console.log(`${what}: ${each.toFixed(3)} ms of CPU each`);
    expect.soft(each, "ms of CPU each").toBeLessThan(most);
    expectUnharmed(await target.measure(what, attack));
  },
  300_000,
);
