import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import type { Person, Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { OwnOrganization } from "./own-organization";

const person: Person = { issuer: "https://id.example", subject: "ada", expiresAt: Infinity };
const session = { person, subscribe: () => () => undefined } as unknown as Session;

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Answers by the end of the path; returns the paths that were requested. */
function serve(answers: Readonly<Record<string, () => Response>>): string[] {
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  const asked: string[] = [];
  vi.stubGlobal("fetch", (input: RequestInfo | URL) => {
    const path = new URL(input instanceof Request ? input.url : String(input), "http://x").pathname;
    asked.push(path.replace("/iam/v2/groups:", ""));
    return Promise.resolve(answers[asked.at(-1) ?? ""]?.() ?? new Response(null, { status: 500 }));
  });
  return asked;
}

const show = () =>
  renderInApp(
    <SessionContext value={session}>
      <QueryClientProvider client={new QueryClient()}>
        <OwnOrganization otherwise={<p>By a link</p>} />
      </QueryClientProvider>
    </SessionContext>,
  );

it("offers to ask the organization of a verified email's domain", async () => {
  serve({
    checkEligibility: () => Response.json({ eligible: true }),
    lookupGroup: () => Response.json({ group: { uid: "a".repeat(40), name: "acme.example" } }),
  });
  await show();
  expect(await screen.findByText(/Your email is of/)).toHaveProperty(
    "textContent",
    "Your email is of acme.example, which is an organization here.",
  );
  expect(await screen.findByRole("button", { name: "Ask for access" })).toBeDefined();
  expect(screen.queryByText("By a link")).toBeNull();
});

it("asks for a link if there is none, and looks nothing up without a verified email", async () => {
  const asked = serve({ checkEligibility: () => Response.json({ eligible: false }) });
  await show();
  expect(await screen.findByText("By a link")).toBeDefined();
  expect(asked).toEqual(["checkEligibility"]);
});

it("asks for a link if the domain has no organization", async () => {
  serve({
    checkEligibility: () => Response.json({ eligible: true }),
    lookupGroup: () => Response.json({ code: 5, message: "Not found" }, { status: 404 }),
  });
  await show();
  expect(await screen.findByText("By a link")).toBeDefined();
});
