import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from "jose";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { closeServer } from "./site";
import { portOf } from "../port";

export const sha256 = (bytes: Buffer | string): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export const OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";

interface Repository {
  readonly manifests: Map<string, { type: string; bytes: Buffer }>;
  readonly blobs: Map<string, Buffer>;
  readonly tags: Map<string, string>;
}

export interface TestRegistry {
  readonly url: string;
  readonly host: string;
  /** Trusts these keys and this issuer from now on. */
  trust(issuer: string, keys: JSONWebKeySet): void;
  readonly repositories: Map<string, Repository>;
  /** Stores an image without asking anybody; returns its digest. */
  put(name: string, manifest: object, tag?: string): string;
  putBlob(name: string, bytes: Buffer | string): { digest: string; size: number };
  /** `METHOD path` of each request, in order. */
  readonly asked: string[];
  /** True if it deletes by tag, as Distribution 3 does. */
  deletesTags: boolean;
  deletes: boolean;
  /** Answers in place of the registry, if it returns true. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  stop(): Promise<void>;
}

const read = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Only what Distribution does with a token: it verifies it, and compares its access with the request. */
export async function startRegistry(): Promise<TestRegistry> {
  let trusted: { issuer: string; keys: JSONWebKeySet } | undefined;
  const repositories = new Map<string, Repository>();
  const of = (name: string): Repository => {
    const known = repositories.get(name) ?? { manifests: new Map(), blobs: new Map(), tags: new Map() };
    repositories.set(name, known);
    return known;
  };

  async function accessOf(
    request: IncomingMessage,
  ): Promise<{ type: string; name: string; actions: string[] }[] | undefined> {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !trusted) return undefined;
    const { issuer, keys } = trusted;
    try {
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
        issuer,
        audience: registry.host,
      });
      const { access }: { access?: { type: string; name: string; actions: string[] }[] } = Object(payload);
      return access;
    } catch {
      return undefined;
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    registry.asked.push(`${method} ${url}`);
    if (registry.instead?.(request, response)) return;
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      response.writeHead(status, {
        "content-type": "application/json",
        "content-length": bytes.length,
        ...headers,
      });
      response.end(method === "HEAD" ? undefined : bytes);
    };
    const access = await accessOf(request);
    const refuse = () => send(401, { errors: [{ code: "UNAUTHORIZED" }] });
    if (!access) return refuse();
    const path = new URL(url, "http://x");
    if (path.pathname === "/v2/") return send(200, {});
    if (path.pathname === "/v2/_catalog") {
      if (!access.some(({ type, name }) => type === "registry" && name === "catalog")) return refuse();
      return send(200, { repositories: [...repositories.keys()].toSorted() });
    }
    const [, name = "", kind = "", reference = ""] =
      /^\/v2\/(.+)\/(manifests|blobs|tags|referrers)\/(.*)$/.exec(path.pathname) ?? [];
    const needed = method === "DELETE" ? "delete" : method === "GET" || method === "HEAD" ? "pull" : "push";
    if (!access.some((one) => one.type === "repository" && one.name === name && one.actions.includes(needed)))
      return refuse();
    const unknown = () => send(404, { errors: [{ code: "NOT_FOUND" }] });
    const repository = needed === "push" ? of(name) : repositories.get(name);
    if (!repository) return unknown();
    const { manifests, blobs, tags } = repository;
    if (kind === "tags") return send(200, { name, tags: [...tags.keys()].toSorted() });
    if (kind === "blobs" && method === "POST")
      return send(202, {}, { location: `/v2/${name}/blobs/uploads/1?state=2` });
    if (kind === "blobs" && method === "PUT") {
      const bytes = await read(request);
      blobs.set(sha256(bytes), bytes);
      return send(201, {});
    }
    if (kind === "blobs") {
      const bytes = blobs.get(reference);
      return bytes ? send(200, bytes) : unknown();
    }
    if (kind === "referrers") return unknown();
    const digest = tags.get(reference) ?? reference;
    if (method === "PUT") {
      const bytes = await read(request);
      const made = sha256(bytes);
      manifests.set(made, { type: request.headers["content-type"] ?? "", bytes });
      if (!reference.includes(":")) tags.set(reference, made);
      return send(201, {}, { "docker-content-digest": made });
    }
    if (method === "DELETE") {
      if (!registry.deletes) return send(405, { errors: [{ code: "UNSUPPORTED" }] });
      if (!reference.includes(":")) {
        if (!registry.deletesTags) return send(400, { errors: [{ code: "DIGEST_INVALID" }] });
        return send(tags.delete(reference) ? 202 : 404, {});
      }
      if (!manifests.delete(reference)) return unknown();
      // As 2.8 does: every tag that names the digest goes along.
      for (const [tag, named] of tags) if (named === reference) tags.delete(tag);
      return send(202, {});
    }
    const manifest = manifests.get(digest);
    if (!manifest) return unknown();
    return send(200, manifest.bytes, { "content-type": manifest.type, "docker-content-digest": digest });
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  const registry: TestRegistry = {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    trust: (issuer, keys) => (trusted = { issuer, keys }),
    repositories,
    put(name, manifest, tag) {
      const bytes = Buffer.from(JSON.stringify(manifest));
      const digest = sha256(bytes);
      const { mediaType = OCI_MANIFEST }: { mediaType?: string } = manifest;
      of(name).manifests.set(digest, { type: mediaType, bytes });
      if (tag !== undefined) of(name).tags.set(tag, digest);
      return digest;
    },
    putBlob(name, content) {
      const bytes = Buffer.from(content);
      of(name).blobs.set(sha256(bytes), bytes);
      return { digest: sha256(bytes), size: bytes.length };
    },
    asked: [],
    deletesTags: false,
    deletes: true,
    instead: undefined,
    stop: () => closeServer(server),
  };
  return registry;
}

/** A small image of one architecture in the test's registry; returns its manifest's digest and size. */
export function putImage(
  registry: TestRegistry,
  name: string,
  {
    tag,
    architecture = "amd64",
    content = "layer",
  }: { tag?: string; architecture?: string; content?: string } = {},
): { digest: string; size: number } {
  const layer = registry.putBlob(name, content);
  const config = registry.putBlob(name, JSON.stringify({ architecture, os: "linux" }));
  const manifest = {
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", ...layer }],
    annotations: { "org.opencontainers.image.revision": "abc", other: "not kept" },
  };
  return { digest: registry.put(name, manifest, tag), size: layer.size + config.size };
}
