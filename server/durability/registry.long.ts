import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { builtInRoleUid } from "../domains/access/roles.table";
import { freePort } from "../testing/app";
import { commandLine, startBuilt, surroundings, type BuiltService } from "../testing/built-service";
import { ensurePrograms, startDockerRegistry, tryRun, type DockerRegistry } from "../testing/docker-registry";
import { startIssuer, type TestIssuer } from "../testing/issuer";
import { OCI_INDEX, OCI_MANIFEST, sha256 } from "../testing/registry";
import { Api } from "./writers";

const SECRET = "secret-of-automation-in-tests";
const EVENTS = "secret-of-the-notifications";
const GITHUB = "repo:acme/app:ref:refs/heads/main";
const REPOSITORY = "acme/base";

let directory: string;
let issuer: TestIssuer;
let service: BuiltService;
let registry: DockerRegistry;
let api: Api;
let organization: string;
let folder: string;
let variables: Record<string, string>;

const command = promisify(execFile);
const registryCommand = async (...args: string[]): Promise<string> =>
  (
    await command(process.execPath, commandLine("registry", ...args), {
      env: { ...surroundings(), ...variables },
    })
  ).stdout;

const call = async (method: string, address: string, body?: unknown) => {
  const { status, json } = await api.call(method, `../../${address}`, body);
  if (status !== 200) throw new Error(`${method} ${address}: ${status} ${JSON.stringify(json)}`);
  return json;
};

/** A workload, recognized by its subject, with a role at a group. */
async function workload(name: string, subject: string, group: string, role?: string): Promise<string> {
  const claimMatch = { issuer: issuer.url, subject };
  const { uid } = await call("POST", `iam/v2/identities/${group}`, { name, claimMatch });
  if (role)
    await call("POST", `iam/v2/roleBindings/${group}`, { identityUid: uid, roleUid: builtInRoleUid(role) });
  return uid;
}
const tokenOf = (subject: string, seconds = 300) =>
  issuer.sign({ sub: subject, aud: service.url }, { seconds });

beforeAll(async () => {
  ensurePrograms();
  directory = await mkdtemp(path.join(tmpdir(), "registry-"));
  issuer = await startIssuer();
  const [port, registryPort] = [await freePort(), await freePort()];
  variables = {
    PORT: String(port),
    DATA_DIR: path.join(directory, "data"),
    SEED: "none",
    SIGN_UP: "open",
    AUTOMATION_CLIENT_SECRET: SECRET,
    TRUSTED_ISSUERS: issuer.url,
    REGISTRY_URL: `http://127.0.0.1:${registryPort}`,
    REGISTRY_EVENTS_SECRET: EVENTS,
    LOG_LEVEL: "warn",
  };
  await (await startBuilt({ ...variables, LOG_LEVEL: "info" })).end("SIGTERM");
  const certificates = await registryCommand("certificate");
  service = await startBuilt({ ...variables, LOG_LEVEL: "info" });
  registry = await startDockerRegistry(path.join(directory, "registry"), {
    port: registryPort,
    service: service.url,
    secret: EVENTS,
    certificates,
  });
  api = new Api(service.url, SECRET);
  await api.signIn();
  organization = (await call("POST", "iam/v2/groups", { name: "acme" })).uid;
  await workload("ci", GITHUB, organization, "owner");
  folder = (await call("POST", `iam/v2/groups/${organization}`, { name: "folder" })).uid;
});
afterAll(async () => {
  await registry?.stop();
  await service?.end("SIGTERM");
  await issuer?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** An OCI image layout (OCI image specification, "Image Layout"), written by hand. */
class Layout {
  readonly #manifests: object[] = [];
  constructor(readonly at: string) {}

  async open(): Promise<this> {
    await mkdir(path.join(this.at, "blobs/sha256"), { recursive: true });
    await writeFile(path.join(this.at, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
    return this;
  }

  async blob(content: string | Buffer | object) {
    const bytes = Buffer.from(
      typeof content === "object" && !Buffer.isBuffer(content) ? JSON.stringify(content) : content,
    );
    const digest = sha256(bytes);
    await writeFile(path.join(this.at, "blobs/sha256", digest.slice(7)), bytes);
    return { digest, size: bytes.length };
  }

  /** An image of one layer. */
  async image(architecture: string, layer: string | Buffer) {
    const made = await this.blob(layer);
    const config = await this.blob({
      architecture,
      os: "linux",
      config: {},
      rootfs: { type: "layers", diff_ids: [made.digest] },
    });
    const manifest = await this.blob({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
      layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", ...made }],
    });
    return {
      ...manifest,
      bytes: made.size + config.size,
      platform: { architecture, os: "linux" },
      mediaType: OCI_MANIFEST,
    };
  }

  async name(tag: string, mediaType: string, digest: { digest: string; size: number }): Promise<void> {
    this.#manifests.push({ mediaType, ...digest, annotations: { "org.opencontainers.image.ref.name": tag } });
    await writeFile(
      path.join(this.at, "index.json"),
      JSON.stringify({ schemaVersion: 2, manifests: this.#manifests }),
    );
  }
}

const copy = (from: string, to: string, password: string, more: readonly string[] = []) =>
  tryRun("skopeo", [
    "copy",
    "--all",
    "--preserve-digests",
    "--dest-tls-verify=false",
    "--dest-creds",
    `ci:${password}`,
    ...more,
    from,
    `docker://${registry.host}/${to}`,
  ]);
const inspect = (name: string, password: string) =>
  tryRun("skopeo", [
    "inspect",
    "--raw",
    "--tls-verify=false",
    "--creds",
    `ci:${password}`,
    `docker://${registry.host}/${name}`,
  ]);

/** Pushes an artifact as cosign does, under a tag of its own: skopeo copies images only. */
async function attach(
  tag: string,
  password: string,
  layer: { mediaType: string; bytes: Buffer },
): Promise<void> {
  const query = new URLSearchParams({ service: registry.host, scope: `repository:${REPOSITORY}:pull,push` });
  const basic = `Basic ${Buffer.from(`ci:${password}`).toString("base64")}`;
  const given = await fetch(`${service.url}/registry/token?${query}`, { headers: { authorization: basic } });
  const { token } = (await given.json()) as { token: string };
  const authorization = `Bearer ${token}`;
  const base = `http://${registry.host}/v2/${REPOSITORY}`;
  const put = async (bytes: Buffer) => {
    const begun = await fetch(`${base}/blobs/uploads/`, { method: "POST", headers: { authorization } });
    const to = `${begun.headers.get("location")}&digest=${encodeURIComponent(sha256(bytes))}`;
    const done = await fetch(to, { method: "PUT", headers: { authorization }, body: new Uint8Array(bytes) });
    expect(done.status).toBe(201);
    return { digest: sha256(bytes), size: bytes.length };
  };
  const config = await put(Buffer.from("{}"));
  const made = await put(layer.bytes);
  const manifest = {
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
    layers: [{ mediaType: layer.mediaType, ...made }],
  };
  const done = await fetch(`${base}/manifests/${tag}`, {
    method: "PUT",
    headers: { authorization, "content-type": OCI_MANIFEST },
    body: JSON.stringify(manifest),
  });
  expect(done.status).toBe(201);
}

async function eventually<T>(work: () => Promise<T | undefined | false>, seconds = 5): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const found = await work();
    if (found) return found;
    if (Date.now() > until) throw new Error(`not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const repoNamed = async (name: string) =>
  (await call("GET", `registry/v2/repos?name=${name}`)).repos[0]?.uid as string;
const tagNamed = async (repo: string, name: string) =>
  (await call("GET", `registry/v2/tags?uidp.children_of=${repo}&name=${encodeURIComponent(name)}`)).tags?.[0];

const SBOM = {
  spdxVersion: "SPDX-2.3",
  packages: [
    {
      name: "openssl",
      externalRefs: [
        {
          referenceType: "purl",
          referenceLocator: "pkg:apk/wolfi/openssl@3.1.0-r0?arch=x86_64&distro=wolfi",
        },
      ],
    },
  ],
};

test("a pushed image, its signature and its packages are known, pulled by whoever may, and deleted alone", async () => {
  const ci = await tokenOf(GITHUB);
  const layout = await new Layout(path.join(directory, "layout")).open();
  const images = [await layout.image("amd64", "one layer"), await layout.image("arm64", "another layer")];
  const index = await layout.blob({
    schemaVersion: 2,
    mediaType: OCI_INDEX,
    manifests: images.map(({ mediaType, digest, size, platform }) => ({ mediaType, digest, size, platform })),
  });
  await layout.name("1.0", OCI_INDEX, index);
  const from = `oci:${layout.at}:1.0`;
  expect(await copy(from, `${REPOSITORY}:1.0`, ci)).toMatchObject({ ok: true });
  const repo = await repoNamed("base");
  const tag = await eventually(() => tagNamed(repo, "1.0"));
  expect(tag.digest).toBe(index.digest);
  const at = `registry/v2/repos/${repo}/digests/${index.digest}`;
  expect(await call("GET", `${at}/architectures`)).toEqual({ architectures: ["amd64", "arm64"] });
  expect((await call("GET", `${at}/size?architecture=arm64`)).size).toBe(String(images[1]?.bytes));

  const stem = index.digest.replace(":", "-");
  const statement = {
    _type: "https://in-toto.io/Statement/v0.1",
    predicateType: "https://spdx.dev/Document",
    predicate: SBOM,
  };
  const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
  const envelope = { payloadType: "application/vnd.in-toto+json", payload, signatures: [{ sig: "x" }] };
  await attach(`${stem}.sig`, ci, {
    mediaType: "application/vnd.dev.cosign.simplesigning.v1+json",
    bytes: Buffer.from("{}"),
  });
  await attach(`${stem}.att`, ci, {
    mediaType: "application/vnd.dsse.envelope.v1+json",
    bytes: Buffer.from(JSON.stringify(envelope)),
  });
  const advisories = `vulnerabilities/v2/advisories?tagUid=${encodeURIComponent(tag.uid)}`;
  const known = await eventually(async () => {
    const { imagePackages } = await call("GET", advisories);
    return imagePackages?.known && imagePackages;
  });
  expect(known).toMatchObject({ known: true, count: 1, unknownArchitectures: ["arm64"] });

  // Who may pull: rights at the folder are none at the organization's repo.
  await workload("elsewhere", "elsewhere", folder, "viewer");
  const reader = await workload("reader", "reader", organization);
  const denied = { ok: false, text: expect.stringMatching(/denied|unauthorized/) };
  expect(await inspect(`${REPOSITORY}:1.0`, await tokenOf("elsewhere"))).toMatchObject(denied);
  expect(await inspect(`${REPOSITORY}:1.0`, await tokenOf("reader"))).toMatchObject(denied);
  const roleUid = builtInRoleUid("registry.pull");
  const binding = await call("POST", `iam/v2/roleBindings/${organization}`, { identityUid: reader, roleUid });
  expect(await inspect(`${REPOSITORY}:1.0`, await tokenOf("reader"))).toMatchObject({ ok: true });
  expect(await copy(from, `${REPOSITORY}:1.1`, await tokenOf("reader"))).toMatchObject(denied);
  expect(await inspect("acme/nothing:1.0", await tokenOf("reader"))).toMatchObject(denied);
  await call("DELETE", `iam/v2/roleBindings/${binding.uid}`);
  expect(await inspect(`${REPOSITORY}:1.0`, await tokenOf("reader"))).toMatchObject(denied);

  // A tag goes, its sister with the same digest stays.
  expect(await copy(from, `${REPOSITORY}:sister`, ci)).toMatchObject({ ok: true });
  const sister = await eventually(() => tagNamed(repo, "sister"));
  expect(sister.digest).toBe(index.digest);
  await call("DELETE", `registry/v2/tags/${tag.uid}`);
  expect(await inspect(`${REPOSITORY}:1.0`, ci)).toMatchObject({
    ok: false,
    text: expect.stringContaining("unknown"),
  });
  expect(await inspect(`${REPOSITORY}:sister`, ci)).toMatchObject({ ok: true });
  // Its stand-in was a push, too.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await tagNamed(repo, "1.0")).toBeUndefined();
  expect(await tagNamed(repo, "sister")).toMatchObject({ digest: index.digest });
});

test("a mount needs the right to pull from the other repo", async () => {
  const ci = await tokenOf(GITHUB);
  const layer = Buffer.from("a layer to mount");
  const layout = await new Layout(path.join(directory, "mounted")).open();
  await layout.name("1", OCI_MANIFEST, await layout.image("amd64", layer));
  expect(await copy(`oci:${layout.at}:1`, "acme/from:1", ci)).toMatchObject({ ok: true });
  await workload("pusher", "pusher", folder, "owner");
  await call("POST", `registry/v2/repos/${folder}`, { name: "into" });
  const mount = async (password: string, ...scopes: string[]) => {
    const query = new URLSearchParams({ service: registry.host });
    for (const scope of scopes) query.append("scope", scope);
    const authorization = `Basic ${Buffer.from(`ci:${password}`).toString("base64")}`;
    const given = await fetch(`${service.url}/registry/token?${query}`, { headers: { authorization } });
    const { token } = (await given.json()) as { token: string };
    const to = `http://${registry.host}/v2/acme/into/blobs/uploads/?mount=${encodeURIComponent(sha256(layer))}&from=acme/from`;
    return (await fetch(to, { method: "POST", headers: { authorization: `Bearer ${token}` } })).status;
  };
  const scopes = ["repository:acme/into:pull,push", "repository:acme/from:pull"];
  // 201: mounted. Without the right at the other repo the registry refuses, or begins an upload.
  expect(await mount(ci, ...scopes)).toBe(201);
  expect([401, 202]).toContain(await mount(await tokenOf("pusher"), ...scopes));
});

test("after pushes past the service, kill -9 of both in the middle and a comparison, the ledger is the registry", async () => {
  const ci = await tokenOf(GITHUB, 3_000);
  const layout = await new Layout(path.join(directory, "many")).open();
  const digests = new Map<string, string>();
  for (let number = 0; number < 40; number += 1) {
    const image = await layout.image("amd64", `layer ${number}`);
    await layout.name(`v${number}`, OCI_MANIFEST, image);
    digests.set(`v${number}`, image.digest);
  }
  const push = async (from: number, to: number) => {
    for (let number = from; number < to; number += 1)
      await copy(`oci:${layout.at}:v${number}`, `acme/many:v${number}`, ci);
  };
  const pushing = push(0, 40);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await service.end("SIGKILL");
  await pushing;
  service = await startBuilt({ ...variables, LOG_LEVEL: "info" });
  await api.signIn();
  await push(0, 40);
  await service.end("SIGKILL");
  const told = await registryCommand("sync", "--once");
  expect(await registryCommand("sync", "--once", "--dry-run")).toBe("");
  service = await startBuilt({ ...variables, LOG_LEVEL: "info" });
  await api.signIn();
  const repo = await repoNamed("many");
  const { tags } = await call("GET", `registry/v2/tags?uidp.children_of=${repo}&page_size=200`);
  const here = new Map(
    (tags as { name: string; digest: string }[]).map(({ name, digest }) => [name, digest]),
  );
  expect([told.length >= 0, here]).toEqual([true, digests]);
});

test("an upload ends well that takes longer than a token to pull lives", async () => {
  const ci = await tokenOf(GITHUB, 3_000);
  const query = new URLSearchParams({ service: registry.host, scope: `repository:${REPOSITORY}:pull,push` });
  const authorization = `Basic ${Buffer.from(`ci:${ci}`).toString("base64")}`;
  const given = await fetch(`${service.url}/registry/token?${query}`, { headers: { authorization } });
  const { token } = (await given.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const begun = await fetch(`http://${registry.host}/v2/${REPOSITORY}/blobs/uploads/`, {
    method: "POST",
    headers,
  });
  await new Promise((resolve) => setTimeout(resolve, 310_000));
  const bytes = Buffer.from("late");
  const to = `${begun.headers.get("location")}&digest=${encodeURIComponent(sha256(bytes))}`;
  expect((await fetch(to, { method: "PUT", headers, body: bytes })).status).toBe(201);
});
