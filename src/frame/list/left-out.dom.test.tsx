import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import { identities } from "platform-contract/iam/identities";
import { machinesAtRoot, setMachines } from "~/frame/scope/people";

import { defineScreens } from "~/frame/define";
import { useShownTotal } from "./left-out";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setMachines([]);
});

/** A host of its own. */
const SERVICE = "https://left-out.example";
const MACHINE = "a".repeat(40);
const ADA = "b".repeat(40);
const screens = defineScreens(identities, {
  filters: {},
  lists: "root",
  leftOut: machinesAtRoot,
});
const scope = { group: undefined, reach: "below" } as const;

function setUp(there: readonly string[]) {
  connect({ baseUrl: SERVICE, token: async () => "t", onUnauthenticated: () => undefined });
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    // A request of another file's last test can come late.
    if (!url.startsWith(`${SERVICE}/iam/v2/identities?`)) throw new TypeError("no such service");
    asked.push(url);
    return Response.json({ identities: there.map((uid) => ({ uid, name: "automation" })) });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const hook = (rows: readonly string[]) =>
    renderHook(
      () =>
        useShownTotal(screens.resolve(scope, {}).leftOut, {
          rows: rows.map((uid) => ({ uid, name: uid })),
          total: 66,
        }),
      { wrapper, reactStrictMode: false },
    ).result;
  return { asked, hook };
}

it("says no total before it knows whether a row that it leaves out is among those it has not read", async () => {
  setMachines([MACHINE]);
  const { hook, asked } = setUp([MACHINE]);
  const total = hook([ADA]);
  expect(total.current).toBeUndefined();
  await waitFor(() => expect(total.current).toBe(65));
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain(`uidp.ids=${MACHINE}`);
  // The list takes those that it has read from the total itself.
  expect(hook([ADA, MACHINE]).current).toBe(66);
});

it("says the service's total where the service lists no such row", async () => {
  setMachines([MACHINE]);
  const { hook } = setUp([]);
  const total = hook([ADA]);
  await waitFor(() => expect(total.current).toBe(66));
});

it("asks nothing where nothing is left out", () => {
  const { hook, asked } = setUp([]);
  expect(hook([ADA]).current).toBe(66);
  expect(asked).toEqual([]);
});
