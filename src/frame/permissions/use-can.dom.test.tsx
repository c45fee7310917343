import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { identities } from "platform-contract/iam/identities";

import { connect } from "~/api/client/client";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";

import { useCan, useRefusal } from "./use-can";
import { useCurrentUser, isWithoutAccess } from "./current-user";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("allows until it is known, and then follows what is known", async () => {
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("fetch", (address: string) =>
    address.includes("lookupIdentity")
      ? new Promise<Response>((resolve) => (answer = resolve))
      : Promise.resolve(Response.json({})),
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
  const root = "a".repeat(40);
  const { result } = renderHook(
    () => ({ who: useCurrentUser(), may: useCan(identities.create, root), refusal: useRefusal() }),
    { wrapper },
  );
  expect(result.current.refusal(identities.create, root)).toBeUndefined();
  expect(result.current).toMatchObject({ who: { state: "loading", person }, may: { allowed: true } });
  await waitFor(() => expect(client.isFetching()).toBe(1));
  answer(Response.json({ uid: "9".repeat(40) }));
  await waitFor(() => expect(result.current.who.state).toBe("nobody"));
  expect(isWithoutAccess(result.current.who)).toBe(true);
  expect(result.current.may).toMatchObject({ allowed: false, capability: "CAP_IAM_IDENTITY_CREATE" });
  expect(result.current.refusal(identities.create, root)).toBe(result.current.may.reason);
});
