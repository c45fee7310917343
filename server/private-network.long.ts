import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { certify, type Certified } from "./testing/authority";
import { startBuilt, type BuiltService } from "./testing/built-service";
import { freePort } from "./testing/free-port";
import { hasNetworks, inside, REFUSED, startTinyproxy, type Tinyproxy } from "./testing/private-network";

const SECRET = "automation-secret-for-tests";
const HOSTS = "127.0.0.1 localhost\n10.255.77.2 hooks.corp.example\n127.0.0.3 idp.corp.example\n";

const directory = mkdtempSync(path.join(tmpdir(), "private-network-"));
const at = (name: string): string => path.join(directory, name);
const canRun = hasNetworks();
if (!canRun) console.log("private networks: skipped, it needs root, openssl, unshare, ip and tinyproxy");

let sink: Server;
let port: number;
let proxy: Tinyproxy | undefined;
let tls: Certified;
let service: BuiltService | undefined;
let proxyPort: number;
const received: string[] = [];

beforeAll(async () => {
  if (!canRun) return;
  tls = certify(directory, "DNS:hooks.corp.example,DNS:idp.corp.example,IP:127.0.0.3,IP:10.255.77.2");
  sink = createServer(tls, (request, response) => {
    received.push(`${request.headers.host} ${request.url}`);
    request.resume();
    if (request.url === "/.well-known/openid-configuration") {
      const issuer = `https://${request.headers.host}`;
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks`, authorization_endpoint: `${issuer}/a` }));
    }
    return void response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => sink.listen(0, resolve));
  ({ port } = sink.address() as AddressInfo);
  spawnSync("ip", ["address", "add", "10.255.77.2/32", "dev", "lo"]);
  proxyPort = await freePort();
  proxy = await startTinyproxy(directory, {
    address: "127.0.0.1",
    port: proxyPort,
    ports: [port],
    hosts: HOSTS,
  });
}, 300_000);

afterAll(async () => {
  await service?.end("SIGKILL");
  proxy?.process.kill("SIGKILL");
  spawnSync("ip", ["address", "del", "10.255.77.2/32", "dev", "lo"]);
  if (canRun) sink.close();
  await rm(directory, { recursive: true });
});

let api: (method: string, path: string, body?: unknown) => Promise<Record<string, string>>;
let organization: string;

async function run(variables: Readonly<Record<string, string>>, hosts = true) {
  await service?.end("SIGKILL");
  await rm(at("data"), { recursive: true, force: true });
  const servicePort = await freePort();
  service = await startBuilt(
    {
      PORT: String(servicePort),
      DATA_DIR: at("data"),
      SEED: "none",
      PUBLIC_URL: "https://platform.example",
      AUTOMATION_CLIENT_SECRET: SECRET,
      ADMIN_PASSWORD: "a-password-of-tests",
      TRUST_PROXY: "1",
      NODE_EXTRA_CA_CERTS: tls.ca,
      ...variables,
    },
    hosts ? { node: inside(directory, "node.sh", process.execPath, { hosts: HOSTS }) } : {},
  );
  const base = `http://127.0.0.1:${servicePort}`;
  const token = await fetch(`${base}/oidc/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`automation:${SECRET}`).toString("base64")}`,
      "x-forwarded-proto": "https",
      "x-forwarded-host": "platform.example",
    },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  api = async (method, address, body) => {
    const answer = await fetch(`${base}${address}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, string>;
  };
  ({ uid: organization = "" } = await api("POST", "/iam/v2/groups", { name: "corp" }));
  expect(organization).not.toBe("");
}

/** The subscription, or the sentence of the refusal. */
const subscribe = async (address: string): Promise<string> => {
  const made = await api("POST", `/events/v2/subscriptions/${organization}`, { sink: address });
  return made["uid"] ?? JSON.stringify(made);
};
let folders = 0;
const makeEvent = () => api("POST", `/iam/v2/groups/${organization}`, { name: `folder-${(folders += 1)}` });
const arrived = (what: string) =>
  vi.waitFor(() => expect(received).toContainEqual(expect.stringContaining(what)), {
    timeout: 20_000,
    interval: 100,
  });

test.runIf(canRun)(
  "an event arrives at a listed name inside, with a company's CA, and everything else stays refused",
  async () => {
    await run({ PRIVATE_HOSTS: "sink:hooks.corp.example,issuer:127.0.0.3" });
    for (const address of REFUSED)
      // oxlint-disable-next-line no-await-in-loop
      expect([address, await subscribe(address.replace("PORT", String(port)))]).toEqual([
        address,
        expect.stringMatching(/must be|must use/),
      ]);
    expect(await subscribe(`https://hooks.corp.example:${port}/direct`)).toMatch(/^[0-9a-f]/);
    // For identity providers only.
    expect(await subscribe(`https://127.0.0.3:${port}/`)).toContain("must be");
    await makeEvent();
    await arrived("/direct");
  },
  300_000,
);

test.runIf(canRun)(
  "behind tinyproxy an event arrives at a name that only the proxy resolves if it is listed",
  async () => {
    await run({ PRIVATE_HOSTS: "hooks.corp.example", HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` }, false);
    expect(await subscribe(`https://hooks.corp.example:${port}/proxied`)).toMatch(/^[0-9a-f]/);
    // Nobody resolves it here; when an event is sent, it is refused before the proxy is asked.
    await subscribe(`https://idp.corp.example:${port}/unlisted`);
    expect(await subscribe(`https://10.255.77.2:${port}/literal`)).toContain("must be");
    await makeEvent();
    await arrived("/proxied");
    await makeEvent();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const log = readFileSync(proxy?.log ?? "", "utf8");
    expect(log).toContain(`CONNECT hooks.corp.example:${port}`);
    expect(log).not.toContain("idp.corp.example");
    expect(received.join()).not.toContain("/unlisted");
  },
  300_000,
);
