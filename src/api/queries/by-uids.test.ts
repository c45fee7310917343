import { afterEach, expect, it, vi } from "vitest";

import { roles } from "platform-contract/iam/roles";

import { connect } from "../client/client";
import { byUids, requestByUids } from "./by-uids";

afterEach(() => vi.unstubAllGlobals());

it("asks for 50 uids at a time, four requests side by side, and follows short pages", async () => {
  const asked: [uids: number, token: string | null][] = [];
  let most = 0;
  let running = 0;
  vi.stubGlobal("fetch", async (url: string) => {
    const { searchParams } = new URL(url);
    const uids = searchParams.getAll("uidp.ids");
    const token = searchParams.get("page_token");
    asked.push([uids.length, token]);
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    const start = Number(token ?? 0);
    return Response.json({
      roles: uids.slice(start, start + 30).map((uid) => ({ uid, name: uid })),
      ...(start + 30 < uids.length && { nextPageToken: "30" }),
    });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const uids = Array.from({ length: 260 }, (_, index) => `r${index}`);
  const found = await byUids(roles.list, [...uids, ...uids]);
  expect(found.map(({ uid }) => uid).toSorted()).toEqual(uids.toSorted());
  expect(most).toBe(4);
  expect(asked.filter(([, token]) => token === null).map(([count]) => count)).toEqual([
    50, 50, 50, 50, 50, 10,
  ]);
  expect(requestByUids(roles.list, uids).query).toEqual({ "uidp.ids": uids.slice(0, 50), page_size: 50 });
  asked.length = 0;
  expect(await byUids(roles.list, [])).toEqual([]);
  expect(asked).toEqual([]);
});

it("finds them in the whole list of a service that ignores the filter, and nothing else", async () => {
  const all = Array.from({ length: 120 }, (_, index) => ({ uid: `r${index}`, name: "" }));
  let requests = 0;
  vi.stubGlobal("fetch", async (url: string) => {
    requests += 1;
    const start = Number(new URL(url).searchParams.get("page_token") ?? 0);
    return Response.json({ roles: all.slice(start, start + 50), nextPageToken: String(start + 50) });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const found = await byUids(roles.list, ["r3", "r70"]);
  expect(found.map(({ uid }) => uid)).toEqual(["r3", "r70"]);
  expect(requests).toBe(2);
});
