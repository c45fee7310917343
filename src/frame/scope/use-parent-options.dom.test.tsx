import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";

import { useParentOptions } from "./use-parent-options";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const person: Person = { issuer: "https://id.example", subject: "ada", expiresAt: 0 };
const session = { person, subscribe: () => () => undefined } as unknown as Session;
const ROOT = "a".repeat(40);
const uid = (number: number, above = ROOT): string => `${above}/${number.toString(16).padStart(16, "0")}`;

/** The labels that are offered where the service has these groups. */
async function offered(groups: readonly { readonly uid: string; readonly name: string }[]) {
  vi.stubGlobal("fetch", async (address: string) => {
    const query = new URL(address).searchParams;
    const size = Number(query.get("page_size") ?? 50);
    const top = query.get("uidp.in_root") === "true";
    const rows = groups.filter((group) => !top || group.uid === ROOT);
    return Response.json({
      groups: rows.slice(0, size),
      totalCount: String(rows.length),
      ...(rows.length > size && { nextPageToken: "next" }),
    });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const wrapper = ({ children }: PropsWithChildren) => (
    <SessionContext value={session}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </SessionContext>
  );
  const { result } = renderHook(() => useParentOptions(undefined), { wrapper });
  await waitFor(() => {
    expect(result.current.options.length).toBeGreaterThan(0);
    expect(client.isFetching()).toBe(0);
  });
  const { options, more } = result.current;
  return [...options.map(({ label }) => label), ...(more === undefined ? [] : [more])];
}

const organization = { uid: ROOT, name: "acme" };

it("offers all groups by their paths where they are few", async () => {
  const groups = [
    { uid: uid(2), name: "zeta" },
    { uid: uid(3, uid(2)), name: "inner" },
    organization,
    { uid: uid(1), name: "data" },
  ];
  expect(await offered(groups)).toEqual(["acme", "acme / data", "acme / zeta", "acme / zeta / inner"]);
});

it("offers only likely ones of many, and a search for all: a part of all would look like all", async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({ uid: uid(index), name: `f${index}` }));
  expect(await offered([organization, ...many])).toEqual(["acme", "Type to search all 61 groups…"]);
});
