import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import { currentUserQuery, UNKNOWN } from "~/frame/permissions/read-current-user";
import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { AppliesTo } from "./applies-to";

const root = "a".repeat(40);
const group = `${root}/${"b".repeat(16)}`;
const person: Person = { issuer: "https://id.example", subject: "ada", expiresAt: Infinity };
const session = { person, subscribe: () => () => undefined } as unknown as Session;
const role = { uid: "c".repeat(40), name: "reader", capabilities: ["CAP_REPO_LIST"] };

let repos: () => Response;

beforeEach(() => {
  stubBrowser();
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", async (address: string) =>
    new URL(address).pathname.endsWith("/repos")
      ? repos()
      : Response.json({ uid: group, name: "python", groups: [{ uid: group, name: "python" }] }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** @param at where the user has a role that lists repos; undefined if their roles are unknown */
async function show(at?: string): Promise<void> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const known = {
    ...UNKNOWN,
    state: "known" as const,
    bindings: [{ uid: `${at}/${"d".repeat(16)}`, roleUid: role.uid, identityUid: "e".repeat(40) }],
    roles: [role],
  };
  client.setQueryData(currentUserQuery(person).queryKey, at === undefined ? UNKNOWN : known);
  await renderInApp(
    <StrictMode>
      <SessionContext value={session}>
        <QueryClientProvider client={client}>
          <AppliesTo group={group} />
          <p>end</p>
        </QueryClientProvider>
      </SessionContext>
    </StrictMode>,
  );
}

const listed = (totalCount: number) => () =>
  Response.json({ repos: [{ uid: `${group}/${"1".repeat(16)}`, name: "app" }], totalCount });

it("counts the repos that a role granted in a folder applies to", async () => {
  repos = listed(1200);
  await show(root);
  const words = await screen.findByText(/^The role applies/);
  expect(words.textContent).toBe("The role applies to all 1,200 repos in python and below.");
});

it("says at least where a role may hide some", async () => {
  repos = listed(3);
  await show(`${group}/${"2".repeat(16)}`);
  const words = await screen.findByText(/^The role applies/);
  expect(words.textContent).toBe("The role applies to every repo in python and below, at least 3.");
});

it("claims no number where the count failed", async () => {
  repos = () => Response.json({ code: 13, message: "no" }, { status: 500 });
  await show(root);
  const words = await screen.findByText(/^The role applies/);
  expect(words.textContent).toBe("The role applies to every repo in python and below.");
});

it("says nothing of a folder with one repo", async () => {
  repos = listed(1);
  await show(root);
  await screen.findByText("end");
  await vi.waitFor(() => expect(screen.queryByText(/^The role applies/)).toBeNull());
});
