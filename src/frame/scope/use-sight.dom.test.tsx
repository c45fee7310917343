import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { roleBindings } from "platform-contract/iam/role-bindings";

import { connect } from "~/api/client/client";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";

import { useSeenInPart, useSight, useUnseen } from "./use-sight";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const root = "a".repeat(40);
const folder = `${root}/${"b".repeat(16)}`;
const role = { uid: "f".repeat(40), name: "owner", capabilities: roleBindings.list.access.needs };

it.each([
  [folder, true],
  [root, false],
])("knows that whoever has roles only in folders sees a part: %#", async (group, partial) => {
  const identity = "9".repeat(40);
  const binding = { uid: `${group}/${"1".repeat(16)}`, identity: { uid: identity }, role };
  vi.stubGlobal("fetch", (address: string) =>
    Promise.resolve(
      Response.json(
        address.includes("lookupIdentity")
          ? { uid: identity }
          : address.includes("/roleBindings")
            ? { roleBindings: [binding] }
            : address.includes("/roles")
              ? { roles: [role] }
              : {},
      ),
    ),
  );
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const person: Person = { issuer: "https://id.example", subject: "ada", expiresAt: 0 };
  const session = { person, subscribe: () => () => undefined } as unknown as Session;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const wrapper = ({ children }: PropsWithChildren) => (
    <SessionContext value={session}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </SessionContext>
  );
  const { result } = renderHook(
    () =>
      [undefined, root, folder].map((at) => ({
        partial: useSight(roleBindings.list, at, false).partial,
        unseen: useUnseen(roleBindings.list, "role bindings", at),
        part: useSeenInPart(roleBindings.list, "role bindings", at),
      })),
    { wrapper },
  );
  await waitFor(() => expect(client.isFetching()).toBe(0));
  await waitFor(() => expect(result.current.map((at) => at.partial)).toEqual([partial, partial, false]));
  const hides = partial
    ? "Only role bindings that you can see are listed. Your role hides any others here."
    : undefined;
  expect(result.current.map((at) => at.part)).toEqual([hides, hides, undefined]);
  expect(result.current.map((at) => at.unseen)).toEqual([
    hides,
    hides,
    "Role bindings further up aren't listed here, only those in this folder and below.",
  ]);
});
