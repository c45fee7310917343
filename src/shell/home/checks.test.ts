import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";

import {
  countOf,
  endsSoon,
  LINES,
  noneText,
  resultText,
  type CheckReading,
  type LineName,
} from "./attention-lines";
import { runCheck, type HomeCheck } from "./checks";

const GROUP = "a".repeat(40);
const FOLDER = `${GROUP}/${"b".repeat(16)}`;
const OWNER = "f".repeat(40);
const uid = (number: number, above = GROUP): string => `${above}/${number.toString(16).padStart(16, "0")}`;

type Row = Readonly<Record<string, unknown>>;
type Lists = Readonly<Record<string, (query: URLSearchParams) => readonly Row[]>>;

/** Stubs a service that serves these rows by path, in pages. Returns its log of requests. */
function serve(lists: Lists, delay = 0): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const { pathname, searchParams } = new URL(address);
    // A scan reports its progress ten times a second.
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    asked.push(`${pathname}?${searchParams}`);
    const rows = lists[pathname]?.(searchParams) ?? [];
    const from = Number(searchParams.get("page_token") ?? 0);
    const next = from + Number(searchParams.get("page_size") ?? 50);
    const list = /terms\/./.test(pathname) ? "termsAcceptances" : (pathname.split("/").at(-1) ?? "");
    return Response.json({
      [list]: rows.slice(from, next),
      totalCount: String(rows.length),
      ...(next < rows.length && { nextPageToken: String(next) }),
    });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const run = (
  name: LineName,
  how: HomeCheck["how"] = "press",
  {
    signal = new AbortController().signal,
    tell = () => undefined,
  }: Partial<Pick<HomeCheck, "signal" | "tell">> = {},
) => runCheck(name, { client, group: GROUP, signal, how, tell });

const arrival: HomeCheck = {
  client,
  group: GROUP,
  signal: new AbortController().signal,
  how: "arrival",
  tell: () => undefined,
};

it("reads ten thousand tags at a time, and says whether that was all of them", async () => {
  const tags = Array.from({ length: 20_000 }, (_, index) => ({
    uid: uid(index),
    name: `t-${index}`,
    deprecated: index % 100 === 0,
  }));
  serve({ "/registry/v2/tags": () => tags }, 5);
  const first = await run("deprecated");
  expect(first).toMatchObject({ complete: false, total: 20_000 });
  expect(first.read).toBeGreaterThanOrEqual(10_000);
  expect(first.read).toBeLessThan(20_000);
  expect(countOf(first)).toBe(Math.ceil(first.read / 100));
  expect(await run("deprecated", "more")).toMatchObject({
    complete: true,
    read: 20_000,
    parts: [{ count: 200, search: { deprecated: "yes" } }],
  });
});

it("keeps what it found when it is stopped", async () => {
  const tags = Array.from({ length: 10_000 }, (_, index) => ({
    uid: uid(index),
    name: `t-${index}`,
    deprecated: true,
  }));
  serve({ "/registry/v2/tags": () => tags }, 5);
  const stop = new AbortController();
  const found = await run("deprecated", "press", {
    signal: stop.signal,
    tell: ({ read }) => {
      if (read > 0) stop.abort();
    },
  });
  expect(found.complete).toBe(false);
  expect(found.read).toBeGreaterThan(0);
  expect(found.read).toBeLessThan(10_000);
});

it("requests acceptances once for each group with documents", async () => {
  const asked = serve({
    "/iam/v2/terms": (query) => [
      ...(query.has("uidp.ancestors_of") ? [] : [{ uid: uid(2, FOLDER), name: "weights.v1" }]),
      { uid: uid(1), name: "tos.v1" },
      { uid: uid(3), name: "dpa.v1" },
    ],
    [`/iam/v2/terms/${GROUP}`]: () => [{ docId: "tos.v1" }],
    [`/iam/v2/terms/${FOLDER}`]: () => [{ docId: "tos.v1" }],
  });
  const { parts, complete } = await run("terms");
  expect(complete).toBe(true);
  expect(parts.map(({ label, search }) => [label, search["group"]])).toEqual([
    ["weights.v1", FOLDER.replace("/", "_")],
    ["dpa.v1", GROUP],
  ]);
  expect(asked.filter((path) => path.startsWith("/iam/v2/terms/"))).toHaveLength(2);
});

it("counts machines with the built-in owner role, not people and not roles of that name", async () => {
  const bound = (number: number, identityUid: string) => ({ uid: uid(number), identityUid, roleUid: OWNER });
  serve({
    "/iam/v2/roles": () => [
      { uid: uid(9), name: "owner" },
      { uid: OWNER, name: "owner" },
    ],
    "/iam/v2/roleBindings": (query) =>
      query.get("role") === OWNER ? [bound(1, uid(5)), bound(2, "c".repeat(40))] : [],
  });
  expect(await run("owners")).toMatchObject({
    complete: true,
    read: 2,
    parts: [{ count: 1, search: { role: OWNER, kind: "machine" } }],
  });
});

it("counts machines that own a folder by a grant further up, and only those that reach it", async () => {
  const other = `${GROUP}/${"d".repeat(16)}`;
  const above = (number: number, identityUid: string) => ({
    uid: uid(number),
    identityUid,
    roleUid: OWNER,
    group: { uid: GROUP, name: "Acme" },
  });
  serve({
    "/iam/v2/roles": () => [{ uid: OWNER, name: "owner" }],
    "/iam/v2/roleBindings": (query) =>
      query.has("uidp.ancestors_of")
        ? [above(1, uid(5)), above(2, "c".repeat(40)), above(3, uid(6, other)), above(4, uid(7, FOLDER))]
        : [],
  });
  const { signal } = new AbortController();
  const found = await runCheck("owners", { ...arrival, signal, group: FOLDER, how: "press" });
  expect(found).toMatchObject({
    complete: true,
    parts: [
      {
        count: 2,
        label: "granted in Acme",
        search: { role: OWNER, kind: "machine", group: GROUP, reach: "here" },
      },
    ],
  });
});

it("counts advisories of the groups above a folder, apart from its own", async () => {
  const asked = serve({
    "/vulnerabilities/v2/advisories": (query) =>
      query.get("uidp.children_of") === GROUP && /FIX_NOT_PLANNED/.test(query.get("latestEventType") ?? "")
        ? [{ uid: uid(1) }]
        : [],
  });
  const found = await runCheck("advisories", { ...arrival, group: FOLDER });
  expect(asked.length).toBe(6);
  expect(found.parts).toEqual([
    {
      count: 1,
      label: "no fix planned further up",
      search: { latest: "fixNotPlanned", group: GROUP, reach: "here" },
    },
  ]);
});

it("says that there is none without a double negative", () => {
  const lines = new Map(LINES.map((line) => [line.name, line]));
  const quiet = (["keys", "invites", "terms", "unused"] as const).map(
    (name) => [lines.get(name) ?? LINES[0], 3] as [(typeof LINES)[number], number],
  );
  expect(noneText(quiet)).toBe(
    "no keys expired or expiring soon or invites expiring within 3 days; all terms are accepted; all identities have been used",
  );
  expect(noneText(quiet.slice(2, 3).map(([line]) => [line, 0]))).toBe("no terms to accept");
});

it("finds keys, invites and syncs by their ends", async () => {
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  const keys = (number: number, expirationTime?: string) => ({
    uid: uid(number),
    name: `k${number}`,
    staticKeys: {
      issuer: "https://i.example",
      subject: "s",
      issuerKeys: "{}",
      ...(expirationTime && { expirationTime }),
    },
  });
  serve({
    "/iam/v2/identities": () => [keys(1, inDays(-1)), keys(2, inDays(29)), keys(3, inDays(31)), keys(4)],
    "/iam/v2/groupInvites": () =>
      [-1, 3, 8].map((days, index) => ({ uid: uid(index), expirationTime: inDays(days) })),
    "/registry/v2/repos": () =>
      [-1, 29, 31].map((days, index) => ({
        uid: uid(index),
        name: `r${index}`,
        sync_config: { source: uid(8), expirationTime: inDays(days) },
      })),
  });
  expect(await run("syncs")).toMatchObject({ parts: [{ count: 2, search: { sync: "stopping" } }] });
  expect(countOf(await run("keys"))).toBe(2);
  expect(countOf(await run("invites"))).toBe(1);
});

it("ends on arrival what ends at once: all documents of a few groups, and a second page; then what ends soon", async () => {
  const folders = [GROUP, FOLDER, `${GROUP}/${"c".repeat(16)}`];
  let tags = 390;
  const acceptances = Object.fromEntries(
    folders.map((folder) => [`/iam/v2/terms/${folder}`, () => [{ docId: "tos.v1" }]]),
  );
  serve({
    "/iam/v2/terms": () => folders.map((folder, index) => ({ uid: uid(index, folder), name: "tos.v1" })),
    ...acceptances,
    "/registry/v2/tags": () => Array.from({ length: tags }, (_, index) => ({ uid: uid(index), name: "t" })),
  });
  client.clear();
  expect(await runCheck("terms", { ...arrival, group: undefined })).toMatchObject({
    complete: true,
    read: 3,
  });
  expect(await run("deprecated", "arrival")).toMatchObject({ complete: true, read: 390 });
  for (const [length, soon] of [
    [4_990, true],
    [5_010, false],
  ] as const) {
    tags = length;
    client.clear();
    const first = await run("deprecated", "arrival");
    expect([first.complete, first.read, endsSoon(first)]).toEqual([false, 200, soon]);
    if (soon) expect(await run("deprecated", "rest")).toMatchObject({ complete: true, read: length });
  }
});

it("says 'none' only of what was read to the end", () => {
  const reading = { parts: [], read: 2, total: 3, complete: false };
  const line = LINES.find(({ name }) => name === "unused");
  if (!line) throw new Error("The line is gone");
  const text = (change: Partial<CheckReading>) => resultText(line, { ...reading, ...change });
  expect(text({})).toBe("Identities never used: not checked yet (2 of 3 read)");
  expect(text({ total: undefined })).toBe("Identities never used: not checked yet (2 read)");
  expect(text({ complete: true })).toBe("All identities have been used");
  const parts = [{ count: 1, search: {} }];
  expect(text({ parts })).toBe("At least 1 identity never used");
  expect(text({ parts, complete: true })).toBe("1 identity never used");
});

it("asks for the deprecated tags that are still pulled in one request", async () => {
  const asked = serve({
    "/registry-usage/v1/usage": () => [1, 2].map((number) => ({ tag: uid(number), downloads: 1 })),
  });
  expect(await run("pulled", "arrival")).toMatchObject({
    complete: true,
    parts: [{ count: 2, search: { pulled: "yes" } }],
  });
  expect(asked).toEqual([
    expect.stringMatching(
      /^\/registry-usage\/v1\/usage\?uidp.descendants_of=a+&by=USAGE_GROUPING_TAG&deprecated=true$/,
    ),
  ]);
});

it("sends at most 12 requests when the home page is opened, however much there is", async () => {
  const many = (row: object) => Array.from({ length: 900 }, (_, index) => ({ uid: uid(index), ...row }));
  const asked = serve({
    "/registry/v2/tags": () => many({ name: "t", deprecated: true }),
    "/vulnerabilities/v2/advisories": () => many({}),
    "/registry/v2/repos": () => many({ name: "r" }),
    "/iam/v2/identities": () => many({ name: "i" }),
    "/iam/v2/groupInvites": () => many({}),
    "/iam/v2/terms": () =>
      many({ name: "tos.v1" }).map((row, index) => ({ ...row, uid: uid(index, FOLDER) })),
    "/iam/v2/roles": () => [{ uid: OWNER, name: "owner" }],
    "/iam/v2/roleBindings": () => many({ identityUid: uid(5), roleUid: OWNER }),
  });
  client.clear();
  const specified = LINES.filter((line) => !("needs" in line));
  const found = await Promise.all(specified.map(({ name }) => run(name, "arrival")));
  expect(asked.length).toBeLessThanOrEqual(12);
  for (const { read, complete, total } of found)
    expect([complete, read]).toEqual(read === total ? [true, read] : [false, 200]);
  // What a list has read since is as good.
  expect(await run("deprecated", "more")).toMatchObject({ complete: true, read: 900 });
  const before = asked.length;
  expect(await run("deprecated", "arrival")).toMatchObject({ complete: true, read: 900 });
  expect(asked).toHaveLength(before);
});
