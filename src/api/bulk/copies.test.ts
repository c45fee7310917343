import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { connect } from "../client/client";
import type { BulkItem } from "./bulk-job";
import { ALREADY_THERE, copies } from "./copies";
import type { CopyableKind, RecordToCopy } from "./copy-plan";

const ORG = "a".repeat(40);
const ROOT = `${ORG}/${"b".repeat(16)}`;
const PLACE = `${ORG}/${"c".repeat(16)}`;
const MADE = `${PLACE}/${"d".repeat(16)}`;
const END = "2031-01-01T00:00:00Z";

/** Pages of the list that a look-up reads, and what was created. */
let pages: readonly (readonly object[])[] = [];
let created: object[] = [];

beforeEach(() => {
  created = [];
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname.includes("/ping/")) return Response.json({});
    if (method === "POST") {
      created.push(JSON.parse(String(body)));
      return Response.json({ ...JSON.parse(String(body)), uid: `${MADE}/${"e".repeat(16)}` });
    }
    const page = Number(searchParams.get("page_token") ?? 0);
    return Response.json({
      [pathname.split("/").at(-1) ?? ""]: pages[page],
      ...(page + 1 < pages.length && { nextPageToken: String(page + 1) }),
    });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

/** Sends a record of the folder, which is made already. */
function send(collection: CopyableKind, body: object) {
  const item = (uid: string, more: object) =>
    ({
      uid,
      name: uid,
      facts: {},
      collection,
      key: uid,
      notBefore: 0,
      ...more,
    }) as unknown as BulkItem<RecordToCopy>;
  const asked = item(`${ROOT}/${"f".repeat(16)}`, { parent: ROOT, body, state: "sending" });
  const items = [item(ROOT, { parent: PLACE, body: { name: "team" }, state: "done", newUid: MADE }), asked];
  return copies(new QueryClient(), { root: ROOT, to: PLACE, place: "place", left: [] }).send(asked, items);
}

test("finds what is there on a later page", async () => {
  const there = `${MADE}/${"9".repeat(16)}`;
  const other = { uid: `${MADE}/${"8".repeat(16)}`, sink: "https://other.example" };
  pages = [[other], [{ uid: there, sink: "https://sink.example" }]];
  expect(await send("subscriptions", { sink: "https://sink.example" })).toEqual({
    newUid: there,
    reason: ALREADY_THERE,
  });
  expect(created).toEqual([]);
});

test("takes a binding with another end for another one", async () => {
  const [identityUid, roleUid] = [`${ORG}/${"1".repeat(16)}`, "2".repeat(40)];
  const there = { uid: `${MADE}/${"9".repeat(16)}`, identityUid, roleUid };
  pages = [[{ ...there, expirationTime: END }]];
  await send("roleBindings", { identityUid, roleUid });
  expect(created).toHaveLength(1);
  pages = [[{ ...there, expirationTime: "2031-01-01T00:00:00.000Z" }]];
  expect(await send("roleBindings", { identityUid, roleUid, expirationTime: END })).toMatchObject({
    newUid: there.uid,
  });
});
