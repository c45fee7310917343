import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { groupInvites } from "platform-contract/iam/group-invites";

import { connect } from "../client/client";
import { useCreate } from "./writes";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const GROUP = "a".repeat(40);
const made = { uid: `${GROUP}/${"1".repeat(16)}`, roleUid: GROUP, createTime: "2099-01-01T00:00:00.000Z" };
const body = { roleUid: GROUP, ttl: "60s" };

function setUp(answer: (method: string) => Response) {
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const posts: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, { method = "GET" }: RequestInit) => {
    if (method === "POST") posts.push(method);
    return answer(method);
  });
  const client = new QueryClient();
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const hook = renderHook(() => useCreate(groupInvites), { wrapper });
  const create = () => act(() => hook.result.current.mutateAsync({ parent: GROUP, body }));
  return { client, create, posts, leave: hook.unmount };
}

it("gives what is shown once to the caller, and keeps it in no cache", async () => {
  const { client, create, leave } = setUp(() => Response.json({ ...made, code: "secret-code" }));
  expect((await create()).code).toBe("secret-code");
  leave();
  await vi.waitFor(() => expect(client.getMutationCache().getAll()).toEqual([]));
  const kept = client.getQueryCache().getAll();
  expect(kept.map(({ state }) => state.data)).toEqual([made]);
});

it("finds what a lost answer made, although no answer repeats all that was sent", async () => {
  const { create, posts } = setUp((method) => {
    if (method === "POST") throw new TypeError("Failed to fetch");
    return Response.json({ groupInvites: [made] });
  });
  expect(await create()).toEqual(made);
  expect(posts).toHaveLength(1);
});
