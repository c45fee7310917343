import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";

import { LINES } from "./attention-lines";
import { useRemembered } from "./remembered";
import { useChecks } from "./use-checks";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ADVISORIES = LINES.filter(({ name }) => name === "advisories");

it("checks on arrival, also where effects end and begin again", async () => {
  connect({ baseUrl: "https://home.example", token: async () => "t", onUnauthenticated: () => undefined });
  // Answers as fetch does: only while the request is wanted.
  vi.stubGlobal("fetch", async (_url: string, { signal }: RequestInit) => {
    await Promise.resolve();
    signal?.throwIfAborted();
    return Response.json({ advisories: [{ uid: "a".repeat(40) }], totalCount: "2" });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const { result } = renderHook(
    () => {
      const outcomes = useRemembered(undefined);
      return { outcomes, ...useChecks(undefined, ADVISORIES, outcomes) };
    },
    {
      wrapper: ({ children }: PropsWithChildren) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  // The checks are loaded first, with the lists that they read.
  const { outcomes } = await vi.waitFor(() => {
    expect(result.current.doing.advisories).toBeUndefined();
    expect(result.current.outcomes.advisories).toBeDefined();
    return result.current;
  }, 60_000);
  expect(outcomes.advisories).toMatchObject({ read: 6, complete: true });
});
