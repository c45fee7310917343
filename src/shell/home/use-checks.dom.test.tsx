import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";

import { LINES } from "./attention-lines";
import { useRemembered } from "./remembered";
import { isOutdated, useChecks, type Marks } from "./use-checks";

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
      return { outcomes, ...useChecks(undefined, ADVISORIES, outcomes, {}) };
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

const DEPRECATED = LINES.filter(({ name }) => name === "deprecated");

/** Stable, as those of queries are. */
const THREE = { tags: "3 tag/3 2026-01-01" };
const TWO = { tags: "2 tag/3 2026-01-01" };

it("checks again what has changed since, and says that it isn't known until then", async () => {
  connect({ baseUrl: "https://home.example", token: async () => "t", onUnauthenticated: () => undefined });
  let tags = ["1", "2", "3"];
  vi.stubGlobal("fetch", async () =>
    Response.json({
      tags: tags.map((n) => ({ uid: `${"a".repeat(40)}/${n.repeat(16)}`, name: n, deprecated: true })),
      totalCount: String(tags.length),
    }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const visit = (marks: Marks) =>
    renderHook(
      (now: Marks) => {
        const outcomes = useRemembered("changed");
        return { outcomes, ...useChecks("changed", DEPRECATED, outcomes, now) };
      },
      {
        initialProps: marks,
        wrapper: ({ children }: PropsWithChildren) => (
          <QueryClientProvider client={client}>{children}</QueryClientProvider>
        ),
      },
    );
  const { result, rerender } = visit(THREE);
  const found = () => result.current.outcomes.deprecated?.parts[0]?.count;
  await vi.waitFor(() => expect(found()).toBe(3), 60_000);
  const [line] = DEPRECATED;
  expect(
    [THREE, TWO, {}].map((marks) => isOutdated(line!, result.current.outcomes.deprecated, marks)),
  ).toEqual([false, true, false]);
  tags = ["1", "2"];
  rerender(TWO);
  await vi.waitFor(() => expect(found()).toBe(2), 60_000);
});
