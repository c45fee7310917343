import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { canInstall, install } from "../tools/debian";
import { startBuilt, type BuiltService } from "./testing/built-service";
import { freePort } from "./testing/free-port";

const SECRET = "automation-secret-for-tests";
const HOSTS = "127.0.0.1 localhost\n10.255.77.2 hooks.corp.example\n127.0.0.3 idp.corp.example\n";

const directory = mkdtempSync(path.join(tmpdir(), "private-network-"));
const at = (name: string): string => path.join(directory, name);
const openssl = (...options: string[]) => void execFileSync("openssl", options, { stdio: "ignore" });
// Its own table of hosts for a process, without touching the machine's.
const canRun =
  spawnSync("openssl", ["version"]).status === 0 &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "true"]).status === 0 &&
  (spawnSync("tinyproxy", ["-v"]).status === 0 || (canInstall() && install("tinyproxy-bin", "tinyproxy")));
if (!canRun) console.log("private networks: skipped, it needs root, openssl, unshare and tinyproxy");

let sink: Server;
let port: number;
let proxy: ChildProcess | undefined;
let service: BuiltService | undefined;
let proxyPort: number;
const received: string[] = [];

/** A program with HOSTS as its /etc/hosts. */
const inside = (name: string, command: string): string => {
  const file = at(name);
  const script = `#!/bin/sh\nexec unshare --mount sh -c 'mount --bind ${at("hosts")} /etc/hosts && exec ${command} "$@"' sh "$@"\n`;
  writeFileSync(file, script, { mode: 0o755 });
  return file;
};

beforeAll(async () => {
  if (!canRun) return;
  writeFileSync(at("hosts"), HOSTS);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=Corp CA");
  openssl("req", "-new", ...key, "-keyout", at("own.key"), "-out", at("own.csr"), "-subj", "/CN=hooks");
  writeFileSync(
    at("names"),
    "subjectAltName=DNS:hooks.corp.example,DNS:idp.corp.example,IP:127.0.0.3,IP:10.255.77.2",
  );
  const signed = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-extfile", at("names")];
  openssl("x509", "-req", "-in", at("own.csr"), ...signed, "-out", at("own.pem"));
  const tls = { key: readFileSync(at("own.key")), cert: readFileSync(at("own.pem")) };
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
  writeFileSync(
    at("tinyproxy.conf"),
    `Port ${proxyPort}\nListen 127.0.0.1\nTimeout 20\nLogFile "${at("proxy.log")}"\nLogLevel Connect\nMaxClients 20\nConnectPort ${port}\n`,
  );
  proxy = spawn(inside("proxy.sh", "tinyproxy"), ["-d", "-c", at("tinyproxy.conf")], { stdio: "ignore" });
  await vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(proxyPort, "127.0.0.1", () => resolve(void socket.destroy()));
        socket.once("error", reject);
      }),
    { timeout: 10_000 },
  );
}, 300_000);

afterAll(async () => {
  await service?.end("SIGKILL");
  proxy?.kill("SIGKILL");
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
      NODE_EXTRA_CA_CERTS: at("ca.pem"),
      ...variables,
    },
    hosts ? { node: inside("node.sh", process.execPath) } : {},
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

const REFUSED = [
  "https://127.0.0.1:PORT/",
  "https://127.0.0.2:PORT/",
  "https://localhost:PORT/",
  "https://[::1]:PORT/",
  "https://[::ffff:127.0.0.1]:PORT/",
  "https://10.255.77.2:PORT/",
  "https://[::ffff:10.255.77.2]:PORT/",
  "https://10.255.77.3/",
  "https://172.16.0.1/",
  "https://192.168.0.1/",
  "https://100.64.0.1/",
  "https://100.100.100.200/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[fe80::1]/",
  "https://[fd00:ec2::254]/",
  "https://[fd00::1]/",
  "https://168.63.129.16/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://0.0.0.0:PORT/",
  "http://hooks.corp.example:PORT/",
  "https://other.corp.internal:PORT/",
  "https://vm:PORT/",
];

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
    const log = readFileSync(at("proxy.log"), "utf8");
    expect(log).toContain(`CONNECT hooks.corp.example:${port}`);
    expect(log).not.toContain("idp.corp.example");
    expect(received.join()).not.toContain("/unlisted");
  },
  300_000,
);
