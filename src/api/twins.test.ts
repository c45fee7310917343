import { afterEach, expect, it, vi } from "vitest";

import { groups } from "~/contract/iam/groups";

import { connect } from "./client";
import type { LostCreate } from "./lost-create";
import { removeTwins } from "./twins";

const ROOT = "a".repeat(40);
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const group = (last: number, second: number, name = "acme") => ({
  uid: `${ROOT}/${String(last).padStart(16, "0")}`,
  name,
  description: "made once",
  createTime: at(second),
});
const body = { name: "acme", description: "made once" };
const create: LostCreate = { parent: ROOT, body, notBefore: 0, before: new Set([group(5, 10).uid]) };

afterEach(() => vi.unstubAllGlobals());

it("removes what the same request made a second time, and nothing that anybody else made", async () => {
  const deleted: string[] = [];
  const twin = group(2, 9);
  const others = [
    group(3, 2),
    group(4, 10, "other"),
    group(5, 10),
    group(6, 30),
    // Somebody else's of the same moment: later, of the same millisecond behind ours, or in use already.
    group(7, 11),
    group(8, 10),
    { ...group(9, 9), updateTime: at(10) },
  ];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (init.method !== "DELETE") return Response.json({ groups: [group(1, 10), twin, ...others] });
    deleted.push(new URL(url).pathname.replace("/iam/v2/groups/", ""));
    return new Response(null, { status: 204 });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  await removeTwins(groups, create, group(1, 10), 2_000);
  expect(deleted).toEqual([twin.uid]);
});

it("lets a create stand when the look fails", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ code: 7, message: "no" }, { status: 403 }));
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  await expect(removeTwins(groups, create, group(1, 10), 2_000)).resolves.toBeUndefined();
});
