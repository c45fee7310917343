import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import { currentUserQuery, UNKNOWN } from "~/frame/permissions/read-current-user";
import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { SignInsOf } from "./sign-ins";

const group = "a".repeat(40);
const provider = `${group}/${"1".repeat(16)}`;
const other = `${group}/${"2".repeat(16)}`;
const person: Person = { issuer: "https://id.example", subject: "ada", expiresAt: Infinity };
const session = { person, subscribe: () => () => undefined } as unknown as Session;

const entry = (number: number, change: object) => ({
  uid: `${group}/${number.toString(16).padStart(16, "0")}`,
  createTime: "2026-11-29T12:00:00Z",
  action: "signIn.provider",
  ...change,
});
const signIn = (number: number, name: string, through: string) =>
  entry(number, {
    outcome: "OUTCOME_DONE",
    actor: { uid: number.toString(16).padStart(40, "0"), name, provider: through },
  });
const failure = (number: number, at: string) =>
  entry(number, {
    outcome: "OUTCOME_REFUSED",
    reason: "PROVIDER_FAILED",
    record: { kind: "identityProviders", uid: at },
  });

let answer: object;

beforeEach(() => {
  stubBrowser();
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", async () => Response.json(answer));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function show(): Promise<void> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  client.setQueryData(currentUserQuery(person).queryKey, UNKNOWN);
  await renderInApp(
    <SessionContext value={session}>
      <QueryClientProvider client={client}>
        <SignInsOf provider={provider} />
      </QueryClientProvider>
    </SessionContext>,
  );
}

it("tells sign-ins and failures of a provider from those of others", async () => {
  answer = {
    auditEntries: [
      signIn(1, "Ada", provider),
      signIn(2, "Bob", other),
      failure(3, provider),
      failure(4, other),
    ],
  };
  await show();
  expect(await screen.findByRole("link", { name: "Ada" })).toBeDefined();
  expect(screen.queryByText("Bob")).toBeNull();
  expect(screen.getByRole("heading", { name: "Last failures" })).toBeDefined();
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
});

it("says no more than was read", async () => {
  answer = { auditEntries: [signIn(2, "Bob", other)], nextPageToken: "more" };
  await show();
  expect(
    await screen.findByText(
      "Nobody has signed in through it, among the newest 100 sign-ins through the providers here.",
    ),
  ).toBeDefined();
  cleanup();
  answer = { auditEntries: [] };
  await show();
  expect(await screen.findByText("No failed sign-ins through it, according to the audit log.")).toBeDefined();
});
