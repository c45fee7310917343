import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import { currentUserQuery, UNKNOWN } from "~/frame/permissions/read-current-user";
import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { WhoDecides } from "./who-decides";

const group = "a".repeat(40);
const role = { uid: "b".repeat(40), name: "owner", capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] };
const person: Person = { issuer: "https://id.example", subject: "ada", expiresAt: Infinity };
const session = { person, subscribe: () => () => undefined } as unknown as Session;

const bindingOf = (number: number) => {
  const identityUid = number.toString(16).padStart(40, "0");
  const uid = `${group}/${number.toString(16).padStart(16, "0")}`;
  return { uid, identityUid, identity: { uid: identityUid, name: `Person ${number}` }, roleUid: role.uid };
};

let answer: () => Response;

beforeEach(() => {
  stubBrowser();
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", async (address: string) =>
    new URL(address).pathname.endsWith("/roles") ? Response.json({ roles: [role] }) : answer(),
  );
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
        <WhoDecides group={group} />
      </QueryClientProvider>
    </SessionContext>,
  );
}

const sentence = async () =>
  (await screen.findByRole("link", { name: "Who can grant access there" })).closest("p")?.textContent;

it("says that who decides couldn't be loaded, and waits no longer", async () => {
  answer = () => Response.json({ code: 7, message: "no" }, { status: 403 });
  await show();
  expect(await screen.findByText("Who can grant access there couldn't be loaded.")).toBeDefined();
  expect(screen.queryByText("Loading…")).toBeNull();
});

it("counts the others only if all bindings were read", async () => {
  const roleBindings = [1, 2, 3, 4, 5].map(bindingOf);
  answer = () => Response.json({ roleBindings });
  await show();
  expect(await sentence()).toContain("Person 1, Person 2, Person 3 and 2 more can grant access there.");
  cleanup();
  answer = () => Response.json({ roleBindings, nextPageToken: "more" });
  await show();
  expect(await sentence()).toContain(
    "Person 1, Person 2, Person 3 and perhaps others can grant access there.",
  );
});
