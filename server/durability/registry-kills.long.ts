import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openPostgres } from "../platform/store/postgres";
import { freePort } from "../testing/app";
import { commandLine, startBuilt, surroundings, type BuiltService } from "../testing/built-service";
import { ensurePrograms, startDockerRegistry, type DockerRegistry } from "../testing/docker-registry";
import { startIssuer, type TestIssuer } from "../testing/issuer";
import { ownPostgres, type OwnPostgres } from "../testing/postgres";
import { OCI_MANIFEST, sha256 } from "../testing/registry";
import { random } from "./random";
import { Api } from "./writers";

const SECRET = "secret-of-automation-in-tests";
const EVENTS = "secret-of-the-notifications";
const PUSHES = 200;
const REPOS = 10;
const AT_ONCE = 4;
/** Kills while pulls are written. */
const ROUNDS = 8;
/** As many notifications as the service writes at once instead of at the end of the minute. */
const WRITTEN_AT_ONCE = 20_000;
const SEED = Number(process.env["KILL_SEED"] ?? 20_261_129);

let directory: string;
let postgres: OwnPostgres;
let issuer: TestIssuer;
let service: BuiltService;
let registry: DockerRegistry;
let registryPort: number;
let certificates: string;
let api: Api;
let organization: string;
let variables: Record<string, string>;
let puller: string;

const run = promisify(execFile);
const registryCommand = async (...args: string[]): Promise<string> =>
  (
    await run(process.execPath, commandLine("registry", ...args), {
      env: { ...surroundings(), ...variables },
      maxBuffer: 64_000_000,
    })
  ).stdout;
const startService = async (): Promise<void> => {
  service = await startBuilt({ ...variables, LOG_LEVEL: "info" });
};
const startRegistry = async (): Promise<void> => {
  registry = await startDockerRegistry(path.join(directory, "registry"), {
    port: registryPort,
    service: `http://127.0.0.1:${variables["PORT"]}`,
    secret: EVENTS,
    certificates,
  });
};
const call = async (method: string, address: string, body?: unknown) => {
  const { status, json } = await api.call(method, `../../${address}`, body);
  if (status !== 200) throw new Error(`${method} ${address}: ${status} ${JSON.stringify(json)}`);
  return json;
};

beforeAll(async () => {
  ensurePrograms();
  directory = await mkdtemp(path.join(tmpdir(), "registry-kills-"));
  postgres = await ownPostgres();
  issuer = await startIssuer();
  const port = await freePort();
  registryPort = await freePort();
  variables = {
    PORT: String(port),
    DATABASE_URL: postgres.url,
    DATA_DIR: path.join(directory, "data"),
    SEED: "none",
    AUTOMATION_CLIENT_SECRET: SECRET,
    TRUSTED_ISSUERS: issuer.url,
    REGISTRY_URL: `http://127.0.0.1:${registryPort}`,
    REGISTRY_EVENTS_SECRET: EVENTS,
    LOG_LEVEL: "warn",
  };
  await startService();
  certificates = await registryCommand("certificate");
  await startRegistry();
  api = new Api(service.url, SECRET);
  await api.signIn();
  organization = (await call("POST", "iam/v2/groups", { name: "acme" })).uid;
  puller = (
    await call("POST", `iam/v2/identities/${organization}`, {
      name: "ci",
      claimMatch: { issuer: issuer.url, subject: "ci" },
    })
  ).uid;
  const { roles } = await call("GET", "iam/v2/roles?name=owner&uidp.in_root=true");
  await call("POST", `iam/v2/roleBindings/${organization}`, { identityUid: puller, roleUid: roles[0].uid });
});
afterAll(async () => {
  await registry?.stop();
  await service?.end("SIGTERM");
  await issuer?.stop();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A token of the registry for a repository. */
async function access(repository: string): Promise<string> {
  const password = await issuer.sign({ sub: "ci", aud: service.url }, { seconds: 3_000 });
  const query = new URLSearchParams({
    service: registry.host,
    scope: `repository:${repository}:pull,push`,
  });
  const authorization = `Basic ${Buffer.from(`ci:${password}`).toString("base64")}`;
  const given = await fetch(`${service.url}/registry/token?${query}`, { headers: { authorization } });
  if (given.status !== 200) throw new Error(`no token: ${given.status}`);
  return ((await given.json()) as { token: string }).token;
}

/** Pushes a small image, as clients do; throws where one of the programs does not answer. */
async function push(repository: string, tag: string): Promise<string> {
  const headers = { authorization: `Bearer ${await access(repository)}` };
  const base = `http://${registry.host}/v2/${repository}`;
  const put = async (bytes: Buffer) => {
    const begun = await fetch(`${base}/blobs/uploads/`, { method: "POST", headers });
    const to = `${begun.headers.get("location")}&digest=${encodeURIComponent(sha256(bytes))}`;
    const done = await fetch(to, { method: "PUT", headers, body: new Uint8Array(bytes) });
    if (done.status !== 201) throw new Error(`a blob was answered with ${done.status}`);
    return { digest: sha256(bytes), size: bytes.length };
  };
  const config = await put(Buffer.from(JSON.stringify({ architecture: "amd64", os: "linux" })));
  const layer = await put(Buffer.from(`layer of ${repository}:${tag}`));
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", ...layer }],
  });
  const done = await fetch(`${base}/manifests/${tag}`, {
    method: "PUT",
    headers: { ...headers, "content-type": OCI_MANIFEST },
    body: manifest,
  });
  if (done.status !== 201) throw new Error(`a manifest was answered with ${done.status}`);
  return sha256(manifest);
}

/** What the registry itself has: digests by `repo:tag`. */
async function there(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let number = 0; number < REPOS; number += 1) {
    const repository = `acme/r${number}`;
    const headers = { authorization: `Bearer ${await access(repository)}`, accept: OCI_MANIFEST };
    const base = `http://${registry.host}/v2/${repository}`;
    const { tags = [] }: { tags?: string[] } = await (await fetch(`${base}/tags/list`, { headers })).json();
    for (const tag of tags) {
      const { headers: answer } = await fetch(`${base}/manifests/${tag}`, { method: "HEAD", headers });
      found.set(`r${number}:${tag}`, answer.get("docker-content-digest") ?? "");
    }
  }
  return found;
}

/** The same of the ledger. */
async function here(): Promise<Map<string, string>> {
  const { repos } = await call("GET", `registry/v2/repos?uidp.children_of=${organization}&page_size=200`);
  const found = new Map<string, string>();
  for (const { uid, name } of repos as { uid: string; name: string }[]) {
    const { tags = [] } = await call("GET", `registry/v2/tags?uidp.children_of=${uid}&page_size=200`);
    for (const tag of tags as { name: string; digest: string }[])
      found.set(`${name}:${tag.name}`, tag.digest);
  }
  return found;
}

const sorted = (map: ReadonlyMap<string, string>) =>
  [...map].toSorted(([one], [other]) => one.localeCompare(other));

test("200 pushes with kill -9 of service, registry and database in between: after a comparison, the ledger is the registry", async () => {
  const pushed = new Map<string, string>();
  let failed = 0;
  const numbers = Array.from({ length: PUSHES }, (_, number) => number).values();
  const work = async (): Promise<void> => {
    for (const number of numbers) {
      const [repo, tag] = [`r${number % REPOS}`, `v${number}`];
      for (let tries = 0; tries < 200 && !pushed.has(`${repo}:${tag}`); tries += 1)
        try {
          pushed.set(`${repo}:${tag}`, await push(`acme/${repo}`, tag));
        } catch {
          failed += 1;
          await sleep(200);
        }
    }
  };
  const kills: readonly (() => Promise<void>)[] = [
    async () => {
      await service.end("SIGKILL");
      await startService();
    },
    async () => {
      await registry.stop("SIGKILL");
      await startRegistry();
    },
    async () => {
      await postgres.crash();
      await postgres.restart();
    },
    async () => {
      await Promise.all([service.end("SIGKILL"), registry.stop("SIGKILL")]);
      await Promise.all([startService(), startRegistry()]);
    },
  ];
  const chance = random(SEED);
  const killing = (async () => {
    for (const [index, kill] of kills.entries()) {
      const from = Math.round(((index + 0.3 + chance() * 0.5) * PUSHES) / kills.length);
      while (pushed.size < from) await sleep(20);
      await kill();
    }
  })();
  await Promise.all([killing, ...Array.from({ length: AT_ONCE }, work)]);
  expect(pushed.size).toBe(PUSHES);
  expect(failed).toBeGreaterThan(0);
  await api.signIn();
  const before = await here();
  const told = (await registryCommand("sync", "--once")).split("\n").filter(Boolean).length;
  console.log(
    `registry: ${failed} pushes failed and were tried again; ${PUSHES - before.size} of ${PUSHES} tags were unknown before the comparison, which told ${told} differences`,
  );
  const registryHas = sorted(await there());
  expect(registryHas).toEqual(sorted(pushed));
  expect(sorted(await here())).toEqual(registryHas);
  expect(await registryCommand("sync", "--once", "--dry-run")).toBe("");
});

test("kill -9 of service or database while pulls are counted: none counts twice, and none is lost that is a minute old", async () => {
  const target = { repository: "acme/r0", tag: "v0", digest: sha256("pulled"), mediaType: OCI_MANIFEST };
  const eventsOf = (batch: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${batch}-${index}`,
      timestamp: new Date().toISOString(),
      action: "pull",
      target,
      request: { method: "GET" },
      actor: { name: puller },
    }));
  const tell = async (events: readonly object[]): Promise<boolean> => {
    const answer = await fetch(`${service.url}/registry/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${EVENTS}`, "content-type": "application/json" },
      body: JSON.stringify({ events }),
    }).catch(() => undefined);
    return answer?.status === 200;
  };
  const counted = async (): Promise<number> => {
    const database = await openPostgres(postgres.url);
    const [row] = await database.query<{ n: number }>(
      "select coalesce(sum(downloaded), 0)::int as n from registry_usage where reference = '' and identity_uid = $1",
      [puller],
    );
    await database.close();
    return row?.n ?? 0;
  };
  const base = await counted();
  const chance = random(SEED);
  let sent = 0;
  const KILLS = [
    async () => {
      await service.end("SIGKILL");
      await startService();
    },
    async () => {
      await postgres.crash();
      await postgres.restart();
    },
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    const events = eventsOf(`round-${round}`, WRITTEN_AT_ONCE);
    await tell(events);
    // Before, in and after the write of them.
    await sleep(chance() * 1_500);
    await KILLS[round % KILLS.length]?.();
    // Registries repeat what may not have arrived; here all of it, and twice.
    await tell(events);
    await tell(events);
    sent += WRITTEN_AT_ONCE;
  }
  await service.end("SIGTERM");
  await startService();
  expect((await counted()) - base).toBe(sent);

  await tell(eventsOf("old", 100));
  await sleep(62_000);
  await tell(eventsOf("new", 100));
  await service.end("SIGKILL");
  await startService();
  const kept = (await counted()) - base - sent;
  expect(kept).toBeGreaterThanOrEqual(100);
  console.log(
    `pulls: ${sent} counted once each in ${ROUNDS} kills; ${200 - kept} of 200 lost, none of them a minute old`,
  );
});
