import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";

import type { Collection } from "platform-client/snapshots/format";
import { readContents } from "./read";

const ROOT = "a".repeat(40);
const REPO = `${ROOT}/${"1".repeat(16)}`;
const PAGE = 200;

const tagAt = (index: number) => ({
  uid: `${REPO}/${index.toString(16).padStart(16, "0")}`,
  name: `v${index}`,
  digest: `sha256:${index.toString(16).padStart(64, "0")}`,
  bundles: ["a"],
  updateTime: "2026-11-23T04:00:00Z",
});

let tags: number;
let counts: boolean;
let asked: URL[];

/** A page of the tags; the other lists are empty. */
function answer(url: URL): object {
  if (!url.pathname.endsWith("/tags")) return url.pathname.endsWith(ROOT) ? { uid: ROOT, name: "acme" } : {};
  const from = Number(url.searchParams.get("page_token") ?? 0);
  const next = from + PAGE;
  return {
    tags: Array.from({ length: Math.min(PAGE, tags - from) }, (_, index) => tagAt(from + index)),
    ...(next < tags && { nextPageToken: String(next) }),
    ...(counts && { totalCount: String(tags) }),
  };
}

beforeEach(() => {
  [tags, counts, asked] = [450, true, []];
  vi.stubGlobal("fetch", async (text: string) => {
    const url = new URL(text);
    asked.push(url);
    return Response.json(answer(url));
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

const told: [read: number, collection: Collection, of: number | undefined][] = [];
const read = (without?: readonly Collection[], signal = new AbortController().signal) => {
  told.length = 0;
  return readContents(ROOT, {
    signal,
    retryPolicy: { retry: () => false, retryDelay: () => 0 },
    refusal: () => undefined,
    without,
    mostTags: 1_000,
    tell: (...progress) => void told.push(progress),
  });
};
const askedForTags = () => asked.filter(({ pathname }) => pathname.endsWith("/tags"));

describe("the tags of a scope", () => {
  it("are read page by page, of every kind, with what a snapshot keeps of them", async () => {
    const { records, missing } = await read();
    expect(missing).toEqual({});
    expect(records.tags).toHaveLength(450);
    const { uid, name, digest } = tagAt(449);
    expect(records.tags.at(-1)).toEqual({ uid, name, digest });
    expect(told.slice(-3)).toEqual([200, 400, 450].map((count) => [count, "tags", 450]));
    const all = { includeDates: "true", includeEpochs: "true", includeReferrers: "true" };
    expect(Object.fromEntries(askedForTags()[0]?.searchParams ?? [])).toMatchObject(all);
  });

  it("are left out if there are too many, which takes few requests where the service counts", async () => {
    tags = 1001;
    const { records, missing } = await read();
    expect(missing.tags).toBe(
      "There are 1,001 tags, and a snapshot has at most 1,000. Take snapshots of single folders.",
    );
    expect([records.groups.length, records.tags.length]).toEqual([1, 0]);
    expect(askedForTags().length).toBeLessThanOrEqual(2);
  });

  it("are left out if there are too many and the service does not count", async () => {
    [tags, counts] = [1001, false];
    const { records, missing } = await read();
    expect(missing.tags).toMatch(/^There are more than 1,000 tags/);
    expect(records.tags).toEqual([]);
  });

  it("are not asked for if nobody can compare them", async () => {
    const { records, missing } = await read(["tags"]);
    expect([records.tags, missing]).toEqual([[], {}]);
    expect(askedForTags()).toEqual([]);
  });

  it("that are stopped halfway leave the other kinds complete", async () => {
    const stop = new AbortController();
    tags = 1_000;
    vi.stubGlobal("fetch", async (text: string) => {
      const url = new URL(text);
      if (url.searchParams.get("page_token") === "800") stop.abort();
      stop.signal.throwIfAborted();
      return Response.json(answer(url));
    });
    const { records, missing } = await read([], stop.signal);
    expect(missing).toEqual({ tags: "Stopped before the end." });
    expect(records.groups).toHaveLength(1);
  });
});
