import { createHash } from "node:crypto";
import { fetch as send } from "undici";

import { parseUrl } from "platform-contract/url";

import type { RegistrySettings } from "../../config";
import { isListed } from "../../addresses";
import { createDispatcher } from "../../outbound";
import { reasonOf } from "../../reason";
import { Failure } from "../../status";
import { DIGEST } from "./names";
import type { RegistryAccess, SignForRegistry } from "./tokens";

/** Bytes of a manifest that are read: what registries take at most (OCI distribution specification, "Pushing manifests"). */
export const MANIFEST_BYTES = 4 * 1024 * 1024;
/** Bytes of one page of names. */
const NAMES_BYTES = 16 * 1024 * 1024;
/** Pages of one list. */
const PAGES = 10_000;
const PAGE = 1_000;
/** Milliseconds for one answer in total. */
const PATIENCE_MS = 8_000;
const REDIRECTS = 3;
/** Seconds for which a token of the service's own lives. */
const OWN_TOKEN_S = 60;
/** Seconds after which whoever was refused for the registry's sake should try again. */
const RETRY_S = 10;

/** Who looks into the registry, as its notifications name the actor. */
export const OWN_SUBJECT = "platform";

/** Media types of manifests (OCI image specification; Docker's distribution). */
const ACCEPT = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/** The registry answered, but with something that is not believed or not read. */
export class UnusableAnswer extends Error {}

/** A manifest as it is stored. */
export interface StoredManifest {
  readonly digest: string;
  /** Of the answer; may be empty. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

interface Answered {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly bytes: Buffer;
}

export interface RegistryClient {
  /** Undefined if the registry has none. Throws UNAVAILABLE, or an UnusableAnswer. */
  manifest(repository: string, reference: string): Promise<StoredManifest | undefined>;
  /** The digest that the registry says a tag has, not verified; undefined if it has no such tag. */
  digestOf(repository: string, tag: string): Promise<string | undefined>;
  /** At most `most` bytes, verified by the digest; undefined if the registry has none. */
  blob(repository: string, digest: string, most: number): Promise<Buffer | undefined>;
  /** The index of what refers to a manifest; undefined if the registry does not know referrers (2.8) or has none. */
  referrers(repository: string, digest: string): Promise<Buffer | undefined>;
  /** The names of all repositories, as the registry has them. */
  repositories(): AsyncGenerator<string>;
  /** All tags; none for a repository that it does not have. */
  tags(repository: string): AsyncGenerator<string>;
  /** The status of the answer. */
  deleteManifest(repository: string, reference: string): Promise<number>;
  putBlob(repository: string, bytes: Buffer): Promise<void>;
  putManifest(repository: string, reference: string, mediaType: string, bytes: Buffer): Promise<void>;
  /** Throws UNAVAILABLE or an UnusableAnswer unless the registry answers and takes a token of this service. */
  check(): Promise<void>;
}

export const digestOfBytes = (bytes: Buffer): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export const registryUnavailable = (cause: unknown): Failure =>
  new Failure("UNAVAILABLE", `Unavailable: the registry does not answer: ${reasonOf(cause)}`, [], {
    retryAfter: RETRY_S,
    cause,
  });

/**
 * A client for the registry of the configuration. Its address is the operator's and can be private; what it answers is
 * not trusted: everything is bounded, and content is verified by its digest. Redirects are followed without a token, only
 * to the registry's own host or hosts of the configuration.
 */
export function createRegistryClient(settings: RegistrySettings, sign: SignForRegistry): RegistryClient {
  const home = new URL(settings.url);
  const dispatcher = createDispatcher(undefined, PATIENCE_MS);

  function redirected(from: URL, location: string | null): URL {
    const to = parseUrl(location ?? "", from.href);
    const isKnown = to && (to.host === home.host || isListed(settings.redirectHosts, to.hostname));
    const isSafe =
      to && (to.protocol === "https:" || (to.protocol === home.protocol && to.host === home.host));
    if (!to || !isKnown || !isSafe || to.username !== "" || to.password !== "")
      throw new UnusableAnswer(
        `the registry redirects to ${to?.host ?? "nowhere"}, which REGISTRY_REDIRECT_HOSTS does not name`,
      );
    return to;
  }

  async function ask(
    path: string,
    access: readonly RegistryAccess[],
    {
      method = "GET",
      headers = {},
      body,
      most = MANIFEST_BYTES,
    }: {
      method?: string;
      headers?: Readonly<Record<string, string>>;
      body?: Buffer;
      most?: number;
    } = {},
  ): Promise<Answered> {
    const { token } = await sign(OWN_SUBJECT, access, OWN_TOKEN_S);
    const patience = new AbortController();
    const timer = setTimeout(
      () => patience.abort(new Error(`no answer in ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
    try {
      let address = new URL(`${settings.url}${path}`);
      let own: Readonly<Record<string, string>> = { ...headers, authorization: `Bearer ${token}` };
      for (let steps = 0; steps <= REDIRECTS; steps += 1) {
        const answer = await send(address, {
          method,
          headers: { ...own, "accept-encoding": "identity" },
          ...(body && { body }),
          dispatcher,
          redirect: "manual",
          signal: patience.signal,
        });
        if (answer.status >= 300 && answer.status < 400 && method === "GET") {
          address = redirected(address, answer.headers.get("location"));
          own = headers;
          continue;
        }
        const chunks: Uint8Array[] = [];
        let length = 0;
        for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
          length += chunk.length;
          if (length > most) throw new UnusableAnswer(`the registry answers with more than ${most} bytes`);
          chunks.push(chunk);
        }
        const { status } = answer;
        if (status >= 500 || status === 429) throw new Error(`it answers ${status}`);
        return { status, headers: answer.headers, bytes: Buffer.concat(chunks) };
      }
      throw new UnusableAnswer(`the registry redirects more than ${REDIRECTS} times`);
    } catch (error) {
      throw error instanceof UnusableAnswer
        ? error
        : registryUnavailable(patience.signal.aborted ? patience.signal.reason : error);
    } finally {
      clearTimeout(timer);
      patience.abort();
    }
  }

  const repositoryAccess = (name: string, ...actions: string[]): RegistryAccess[] => [
    { type: "repository", name, actions },
  ];

  function expect(answer: Answered, ...statuses: number[]): void {
    if (!statuses.includes(answer.status))
      throw new UnusableAnswer(`the registry answers ${answer.status} instead of ${statuses.join(" or ")}`);
  }

  const found = (answer: Answered): Answered | undefined => {
    expect(answer, 200, 404);
    return answer.status === 404 ? undefined : answer;
  };

  async function* names(
    path: string,
    access: readonly RegistryAccess[],
    field: string,
  ): AsyncGenerator<string> {
    let last: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const query = `n=${PAGE}${last === undefined ? "" : `&last=${encodeURIComponent(last)}`}`;
      const answer = found(await ask(`${path}?${query}`, access, { most: NAMES_BYTES }));
      if (!answer) return;
      const list = parseNames(answer.bytes, field);
      yield* list;
      // Only the place is taken from the link, never its address (RFC 8288).
      const link = /^<([^>]*)>\s*;\s*rel="?next"?/.exec(answer.headers.get("link") ?? "")?.[1];
      const next = link === undefined ? undefined : parseUrl(link, home.href)?.searchParams.get("last");
      if (next === undefined || next === null || next === last || list.length === 0) return;
      last = next;
    }
  }

  return {
    async manifest(repository, reference) {
      const path = `/v2/${repository}/manifests/${reference}`;
      const answer = found(
        await ask(path, repositoryAccess(repository, "pull"), { headers: { accept: ACCEPT } }),
      );
      if (!answer) return undefined;
      const digest = digestOfBytes(answer.bytes);
      const said = answer.headers.get("docker-content-digest") ?? digest;
      if (said !== digest || (reference.includes(":") && reference !== digest))
        throw new UnusableAnswer("the registry answers with a manifest that does not have its digest");
      return { digest, mediaType: answer.headers.get("content-type") ?? "", bytes: answer.bytes };
    },

    async digestOf(repository, tag) {
      const path = `/v2/${repository}/manifests/${tag}`;
      const headers = { accept: ACCEPT };
      const answer = found(
        await ask(path, repositoryAccess(repository, "pull"), { method: "HEAD", headers }),
      );
      const digest = answer?.headers.get("docker-content-digest") ?? "";
      return answer && (DIGEST.test(digest) ? digest : "unknown");
    },

    async blob(repository, digest, most) {
      const path = `/v2/${repository}/blobs/${digest}`;
      const answer = found(await ask(path, repositoryAccess(repository, "pull"), { most }));
      if (answer && digestOfBytes(answer.bytes) !== digest)
        throw new UnusableAnswer("the registry answers with a blob that does not have its digest");
      return answer?.bytes;
    },

    async referrers(repository, digest) {
      const path = `/v2/${repository}/referrers/${digest}`;
      const answer = await ask(path, repositoryAccess(repository, "pull"));
      return answer.status === 200 ? answer.bytes : undefined;
    },

    repositories: () =>
      names("/v2/_catalog", [{ type: "registry", name: "catalog", actions: ["*"] }], "repositories"),
    tags: (repository) => names(`/v2/${repository}/tags/list`, repositoryAccess(repository, "pull"), "tags"),

    async deleteManifest(repository, reference) {
      const path = `/v2/${repository}/manifests/${reference}`;
      return (await ask(path, repositoryAccess(repository, "pull", "delete"), { method: "DELETE" })).status;
    },

    async putBlob(repository, bytes) {
      const access = repositoryAccess(repository, "pull", "push");
      const begun = await ask(`/v2/${repository}/blobs/uploads/`, access, { method: "POST" });
      expect(begun, 202);
      const to = parseUrl(begun.headers.get("location") ?? "", home.href);
      if (to?.host !== home.host) throw new UnusableAnswer("the registry takes uploads at another host");
      to.searchParams.set("digest", digestOfBytes(bytes));
      // Behind a path of its own the registry names it in the location.
      const path = to.pathname.slice(home.pathname.replace(/\/$/, "").length);
      const headers = { "content-type": "application/octet-stream" };
      expect(await ask(`${path}${to.search}`, access, { method: "PUT", headers, body: bytes }), 201);
    },

    async putManifest(repository, reference, mediaType, bytes) {
      const access = repositoryAccess(repository, "pull", "push");
      const headers = { "content-type": mediaType };
      const path = `/v2/${repository}/manifests/${reference}`;
      expect(await ask(path, access, { method: "PUT", headers, body: bytes }), 201);
    },

    async check() {
      const answer = await ask("/v2/", []);
      if (answer.status === 401)
        throw new UnusableAnswer(
          "it does not take this service's tokens: give it the keys (docs/registry.md)",
        );
      expect(answer, 200);
    },
  };
}

function parseNames(bytes: Buffer, field: string): string[] {
  try {
    const list = (JSON.parse(bytes.toString()) as Record<string, unknown>)[field] ?? [];
    if (Array.isArray(list)) return list.filter((name): name is string => typeof name === "string");
  } catch {
    // Falls through.
  }
  throw new UnusableAnswer(`the registry answers without ${field}`);
}
