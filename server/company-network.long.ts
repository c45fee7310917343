import { spawnSync } from "node:child_process";
import type { LookupAddress } from "node:dns";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse } from "yaml";

import { VIEWER, callbackOf, signInWith } from "./testing/federation";
import { openSignIn } from "./platform/oidc/testing";
import { certify, type Certified } from "./testing/authority";
import { startBuilt, type BuiltService } from "./testing/built-service";
import { startIssuer, type TestIssuer } from "./testing/issuer";
import { startMailServer, type MailServer } from "./testing/mail-server";
import { administer, ownPostgres, type OwnPostgres } from "./testing/postgres";
import { hasNetworks, inside, REFUSED, startTinyproxy, type Tinyproxy } from "./testing/private-network";
import { closeServer, listen } from "./testing/site";
import { startUpstream, type UpstreamIssuer } from "./testing/upstream";

const NETWORK = `company-${process.pid}`;
/** Of the company's servers, of its database, of its proxy, of the service. */
const [SERVERS, DATABASE, PROXY, SERVICE] = ["10.255.78.1", "10.255.78.4", "10.255.78.6", "10.255.78.10"];
const PORT = 8080;
const SECRET = "automation-secret-for-tests";
const ADMIN = "admin@corp.example";
const PASSWORD = "0123456789abcdef";

const directory = mkdtempSync(path.join(tmpdir(), "company-"));
const at = (name: string): string => path.join(directory, name);
const ip = (...words: string[]): boolean => spawnSync("ip", words).status === 0;

/** A network without a way out: its machines reach each other and nothing else. */
function makeNetwork(): boolean {
  const within = ["netns", "exec", NETWORK, "ip"];
  const [ours, theirs] = [`o${process.pid}`, `t${process.pid}`];
  return [
    ["netns", "add", NETWORK],
    ["link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", NETWORK],
    ...[SERVERS, DATABASE, PROXY].map((address) => ["address", "add", `${address}/24`, "dev", ours]),
    ["link", "set", ours, "up"],
    [...within, "address", "add", `${SERVICE}/24`, "dev", theirs],
    [...within, "link", "set", theirs, "up"],
    [...within, "link", "set", "lo", "up"],
  ].every((words) => ip(...words));
}

const canRun = hasNetworks() && makeNetwork();
if (!canRun) console.log("a company's network: skipped, it needs root, openssl, ip netns and tinyproxy");

/** What the name servers of the service know. "postgres" is not in the certificate of the database. */
const KNOWN = [
  "127.0.0.1 localhost",
  `${DATABASE} db.corp.example postgres`,
  `${PROXY} proxy.corp.example`,
  `${SERVERS} mail.corp.example`,
];
/** What those of the proxy know besides. The service may not have "secret" and "vault" asked for. */
const OUTSIDE = ["idp", "ci", "a.hooks", "secret", "vault"].map((name) => `${SERVERS} ${name}.corp.example`);

let tls: Certified;
let database: OwnPostgres;
let mails: MailServer;
let idp: UpstreamIssuer;
let ci: TestIssuer;
let sink: Awaited<ReturnType<typeof listen>>;
let front: Awaited<ReturnType<typeof listen>>;
let proxy: Tinyproxy | undefined;
let service: BuiltService | undefined;
/** Hosts that events came for. */
const received: (string | undefined)[] = [];
const usual = getGlobalDispatcher();

/** The settings of the chart's values for a company with its own authority. */
function chartSettings(): Record<string, string> {
  const source = readFileSync(new URL("../deploy/chart/ci/company-ca.yaml", import.meta.url), "utf8");
  return (parse(source) as { settings: Record<string, string> }).settings;
}

/** The environment of a pod with these, with the certificate where it is here; the database is at `host`, and `ca` is trusted. */
function environment(host = "db.corp.example", { ca = tls.ca } = {}): Record<string, string> {
  const file = at(`database-${host}`);
  writeFileSync(file, `postgres://platform:${PASSWORD}@${host}/platform?sslmode=verify-full\n`);
  return {
    ...chartSettings(),
    NODE_EXTRA_CA_CERTS: ca,
    DATABASE_URL_FILE: file,
    HTTPS_PROXY: "http://proxy.corp.example:3128",
    SMTP_URL: `smtps://console:${PASSWORD}@mail.corp.example:${mails.port}`,
    MAIL_FROM: "Console <console@corp.example>",
    TRUSTED_ISSUERS: ci.url,
    PUBLIC_URL: front.url,
    HOST: SERVICE,
    PORT: String(PORT),
    TRUST_PROXY: "1",
    SECRET_KEY: "x".repeat(32),
    SEED: "none",
    ADMIN_EMAIL: ADMIN,
    ADMIN_PASSWORD: "a-password-of-tests",
    AUTOMATION_CLIENT_SECRET: SECRET,
    DATA_DIR: at("data"),
  };
}

const node = () =>
  inside(directory, "node.sh", process.execPath, { hosts: `${KNOWN.join("\n")}\n`, network: NETWORK });

beforeAll(async () => {
  if (!canRun) return;
  tls = certify(directory, "DNS:*.corp.example,DNS:*.hooks.corp.example");
  const secured = (name: string) => ({ ...tls, address: SERVERS, name: `${name}.corp.example` });
  database = await ownPostgres({ listening: { ...tls, address: DATABASE } });
  await administer(database.url, `create role platform login password '${PASSWORD}'`);
  await administer(database.url, "create database platform owner platform");
  mails = await startMailServer({
    host: SERVERS,
    secure: true,
    key: tls.key,
    cert: tls.cert,
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === "console" && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error("refused")),
  });
  idp = await startUpstream(secured("idp"));
  ci = await startIssuer(secured("ci"));
  sink = await listen((incoming, response) => {
    received.push(incoming.headers.host);
    incoming.resume();
    response.writeHead(204).end();
  }, secured("a.hooks"));
  // The proxy in front of the service, as docs/operate/front.md wants it.
  front = await listen((incoming, response) => {
    const { method, url, headers } = incoming;
    const forwarded = {
      ...headers,
      "x-forwarded-proto": "https",
      "x-forwarded-host": headers.host,
      "x-forwarded-for": SERVERS,
    };
    const passed = request({ host: SERVICE, port: PORT, path: url, method, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once("error", () => response.writeHead(502).end());
    incoming.pipe(passed);
  }, secured("platform"));
  const ports = [idp.url, ci.url, sink.url].map((url) => Number(new URL(url).port));
  const hosts = `${OUTSIDE.join("\n")}\n`;
  proxy = await startTinyproxy(directory, { address: PROXY, port: 3128, ports, hosts });
  // This process is the browser of a person in that network.
  const connect = {
    ca: readFileSync(tls.ca),
    lookup: (_host: string, _options: object, found: (error: null, all: LookupAddress[]) => void) =>
      found(null, [{ address: SERVERS, family: 4 }]),
  };
  setGlobalDispatcher(new Agent({ connect }));
}, 300_000);

afterAll(async () => {
  setGlobalDispatcher(usual);
  await service?.end("SIGKILL");
  proxy?.process.kill("SIGKILL");
  if (canRun) {
    const servers = [sink, front].map(({ server }) => closeServer(server));
    await Promise.all([...servers, idp.stop(), ci.stop(), mails.stop(), database.stop()]);
  }
  ip("netns", "del", NETWORK);
  await rm(directory, { recursive: true });
});

let bearer = "";
async function api(method: string, address: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${front.url}${address}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

test.runIf(canRun)(
  "a database of another name, or of another authority, is refused at the start",
  async () => {
    mkdirSync(at("stranger"));
    const stranger = certify(at("stranger"), "DNS:*.corp.example", "Another CA");
    for (const [variables, reason] of [
      [environment("postgres"), /postgres\. is not in the cert|altnames/],
      [environment("db.corp.example", { ca: stranger.ca }), /certificate/],
      // Without the certificate of the authority.
      [{ ...environment(), NODE_EXTRA_CA_CERTS: "" }, /certificate/],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const refusal = await startBuilt(variables, { node: node() }).then(
        () => "it started",
        (error: Error) => error.message,
      );
      expect(refusal).toContain("DATABASE_URL: cannot connect to the database");
      expect(refusal).toMatch(reason);
      expect(refusal).not.toContain(PASSWORD);
    }
  },
  300_000,
);

test.runIf(canRun)(
  "sign-in, events, mail and token exchange work with documented settings, and nothing else is reached",
  async () => {
    service = await startBuilt(environment(), { node: node() });
    const made = await fetch(`${front.url}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`automation:${SECRET}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    ({ access_token: bearer } = (await made.json()) as { access_token: string });
    const { uid: organization } = await api("POST", "/iam/v2/groups", { name: "corp" });
    expect(organization).toMatch(/^[0-9a-f]{40}$/);
    const inOrganization = (collection: string) => `/${collection}/${String(organization)}`;

    // Somebody signs in with the company's provider.
    const { uid: provider } = await api("POST", inOrganization("iam/v2/identityProviders"), {
      name: "Corp",
      defaultRole: VIEWER,
      oidc: { issuer: idp.url, clientId: idp.clientId, clientSecret: idp.clientSecret },
    });
    expect(provider).toMatch(/^[0-9a-f]{40}\//);
    await idp.register(callbackOf(front.url, String(provider)));
    expect(await signInWith(front.url, String(provider))).toHaveProperty("accessToken");

    // An event.
    const subscriptions = inOrganization("events/v2/subscriptions");
    expect(await api("POST", subscriptions, { sink: sink.url })).toHaveProperty("uid");
    await api("POST", inOrganization("iam/v2/groups"), { name: "folder" });
    await vi.waitFor(() => expect(received).toContain(new URL(sink.url).host), { timeout: 30_000 });

    // A mail.
    const { browser, page } = await openSignIn(front.url);
    await browser.submit(`${page.url}/forgot-password`, { email: ADMIN });
    expect((await mails.until(1, 60))[0]).toMatchObject({ to: ADMIN, from: "console@corp.example" });

    // A workflow of the company's own build system.
    const { uid: identity } = await api("POST", inOrganization("iam/v2/identities"), {
      name: "ci",
      claimMatch: { issuer: ci.url, subject: "repo:app", audience: front.url },
    });
    expect(identity).toMatch(/^[0-9a-f]{40}\//);
    const exchanged = await fetch(
      `${front.url}/sts/exchange?${new URLSearchParams({ identity: String(identity) }).toString()}`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${await ci.sign({ sub: "repo:app", aud: front.url })}` },
      },
    );
    expect([exchanged.status, await exchanged.json()]).toEqual([
      200,
      expect.objectContaining({ token: expect.any(String) }),
    ]);

    // Everything that nobody has named, for both kinds of tenants' addresses.
    const { port } = new URL(sink.url);
    expect(REFUSED.length).toBeGreaterThan(20);
    for (const address of REFUSED.map((each) => each.replace("PORT", port))) {
      // oxlint-disable-next-line no-await-in-loop
      const refused = JSON.stringify(await api("POST", subscriptions, { sink: address }));
      expect([address, refused]).toEqual([address, expect.stringMatching(/must be|must use/)]);
    }
    // Names that only the proxy knows, at ports that it opens, are refused when they would be reached.
    const unnamed = ["secret", "vault"].map((name) => `https://${name}.corp.example:${port}`);
    for (const address of unnamed) {
      // oxlint-disable-next-line no-await-in-loop
      await api("POST", subscriptions, { sink: address });
      // oxlint-disable-next-line no-await-in-loop
      const { uid } = await api("POST", inOrganization("iam/v2/identityProviders"), {
        name: "Unnamed",
        defaultRole: VIEWER,
        oidc: { issuer: address, clientId: "x", clientSecret: "y" },
      });
      if (uid === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop
      expect(await signInWith(front.url, String(uid))).not.toHaveProperty("accessToken");
    }
    const before = received.length;
    await api("POST", inOrganization("iam/v2/groups"), { name: "another folder" });
    // The sink that is named gets this one too; by then the others have been tried.
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(before), { timeout: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const log = readFileSync(proxy?.log ?? "", "utf8");
    for (const url of [idp.url, ci.url, sink.url]) expect(log).toContain(`CONNECT ${new URL(url).host}`);
    const asked = new Set([...log.matchAll(/CONNECT ([\w.-]+):/g)].map(([, host]) => host));
    expect([...asked].toSorted()).toEqual(["a.hooks.corp.example", "ci.corp.example", "idp.corp.example"]);
    expect(new Set(received)).toEqual(new Set([new URL(sink.url).host]));
    expect(await service.end("SIGTERM")).toBe(0);
  },
  300_000,
);
