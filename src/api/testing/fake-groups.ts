import { expect, vi } from "vitest";

import { connect } from "../client/client";

export const ROOT = "a".repeat(40);
export const uidOf = (index: number): string => `${ROOT}/${index.toString(16).padStart(16, "0")}`;

export interface FakeGroup {
  readonly uid: string;
  name: string;
  description?: string;
  createTime?: string;
  updateTime?: string;
}

/** A service with groups below one root, with only the responses that lists and writes need. */
export class FakeGroups {
  groups: FakeGroup[];
  /** The requests, such as `GET skip=50`, in order; omits the scope and the usual page size. */
  readonly asked: string[] = [];
  counts = true;
  /** Maximum rows of a page, however many were requested (AIP-158). */
  most = Infinity;
  /** Rows that are counted, but have moved to positions that were already read. */
  before = 0;
  /** Responses to requests that `held` matches wait until `release` is called. */
  held: ((asked: string) => boolean) | undefined;
  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }
  readonly #releases: (() => void)[] = [];
  /** Responds to reads with the data as of the request. */
  stale = false;
  fail: ((request: Request) => Response | undefined) | undefined;
  /** Loses the response to a write: before the service has the request, or after it carried it out. */
  lose: "before" | "after" | undefined;
  /** A page token returns the first row again, like an expired one. */
  restarts = false;
  ignoresSkip = false;
  /** How far its clock is ahead of this machine's, in ms, and whether its responses include the time. */
  ahead = 0;
  tellsTime = true;
  #writes = 0;

  /** Answers of POSTs by their key, if it keeps them. */
  readonly #answers = new Map<string, FakeGroup>();

  constructor(count: number, { idempotencyKeys = false } = {}) {
    this.groups = Array.from({ length: count }, (_, index) => ({ uid: uidOf(index), name: `g${index}` }));
    const host = ownHost();
    connect({
      baseUrl: `https://${host}`,
      token: async () => "t",
      onUnauthenticated: () => undefined,
      idempotencyKeys,
    });
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      // Test files share a worker: what an earlier one still sends must not count here, nor take a held answer.
      if (new URL(url).host !== host) throw new TypeError(`${url} belongs to another test`);
      const answer = await this.#answer(url, init);
      if (this.tellsTime) answer.headers.set("date", new Date(this.now()).toUTCString());
      return answer;
    });
  }

  readonly now = (): number => Date.now() + this.ahead;

  async #answer(address: string, init: RequestInit): Promise<Response> {
    init.signal?.throwIfAborted();
    const url = new URL(address);
    const request = new Request(address, { method: init.method ?? "GET" });
    if (url.pathname.startsWith("/ping")) return this.fail?.(request) ?? Response.json({});
    const query = url.searchParams;
    query.sort();
    const shown = [...query]
      .filter(([key]) => !/^page_size|^uidp/.test(key))
      .map(([key, value]) => `${key}=${value}`);
    this.asked.push(`${init.method} ${[...shown, ...sizeOf(query)].join("&")}`.trim());
    const early = this.stale && init.method === "GET" ? this.#read(url) : undefined;
    if (this.held?.(this.asked.at(-1) ?? "")) await this.#released(init.signal);
    if (early) return early;
    const failed = this.fail?.(request);
    if (failed) return failed;
    if (!url.pathname.startsWith("/iam/v2/groups")) return Response.json({});
    if (init.method === "GET") return this.#read(url);
    if (this.lose === "before") throw new TypeError("Failed to fetch");
    const answer = this.#write(url, init);
    if (this.lose === "after") throw new TypeError("Failed to fetch");
    return answer;
  }

  /** Rejects if the request is aborted first, like a real one. */
  #released(signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#releases.push(resolve);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  }

  #write(url: URL, init: RequestInit): Response {
    const uid = uidOfPath(url);
    const body: Partial<FakeGroup> = JSON.parse(String(init.body ?? "{}"));
    const now = new Date(this.now() + (this.#writes += 1000)).toISOString();
    if (init.method === "DELETE") {
      this.groups = this.groups.filter((group) => group.uid !== uid);
      return new Response(null, { status: 200 });
    }
    if (init.method === "POST") {
      const key = new Headers(init.headers).get("idempotency-key");
      const kept = key === null ? undefined : this.#answers.get(key);
      if (kept) return Response.json(kept);
      const uid = uidOf(9000 + this.groups.length);
      const made = { name: "", ...body, uid, createTime: now, updateTime: now };
      this.groups.unshift(made);
      if (key !== null) this.#answers.set(key, made);
      return Response.json(made);
    }
    const group = this.groups.find((one) => one.uid === uid);
    if (group) Object.assign(group, body, { updateTime: now });
    return group ? Response.json(group) : gone();
  }

  #read(url: URL): Response {
    const uid = uidOfPath(url);
    if (uid === "") return this.#list(url.searchParams);
    const group = this.groups.find((one) => one.uid === uid);
    return group ? Response.json(group) : gone();
  }

  #list(query: URLSearchParams): Response {
    const restarted = this.restarts && query.has("page_token");
    const skip = this.ignoresSkip ? 0 : Number(query.get("skip") ?? 0);
    const start = (restarted ? 0 : Number(query.get("page_token") ?? 0)) + skip;
    const end = start + Math.min(Number(query.get("page_size")), this.most);
    return Response.json({
      groups: this.groups.slice(start, end),
      ...(end < this.groups.length && { nextPageToken: String(end) }),
      ...(this.counts && { totalCount: String(this.groups.length + this.before) }),
    });
  }
}

/** A host that no other service of any test has; it names the file, for requests that arrive elsewhere. */
function ownHost(): string {
  const file = /([\w-]{1,60})\.(?:dom\.)?test\.tsx?$/.exec(expect.getState().testPath ?? "")?.[1] ?? "api";
  return `${file}-${crypto.randomUUID()}.example`;
}

const uidOfPath = (url: URL): string => url.pathname.replace(/^\/iam\/v2\/groups\/?/, "");

const gone = (): Response => Response.json({ code: 5, message: "gone" }, { status: 404 });

const sizeOf = (query: URLSearchParams): string[] =>
  query.get("page_size") === "50" || !query.has("page_size") ? [] : [`page_size=${query.get("page_size")}`];
