import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";

import { requestsOf, useGrant } from "./grant";

const parent = "a".repeat(40);
const grant = {
  identities: ["1", "2", "3"].map((digit) => digit.repeat(40)),
  roleUid: "b".repeat(40),
  parent,
};
const missing = () =>
  Response.json({ code: 12, message: "Method Not Allowed", details: [] }, { status: 501 });

let sent: { path: string; identity?: string }[];
let reasons: unknown[];
let refuses: string | undefined;
let client: QueryClient;

beforeEach(() => {
  sent = [];
  reasons = [];
  refuses = undefined;
  client = new QueryClient();
  link();
  vi.stubGlobal("fetch", async (url: string, { body, headers }: RequestInit) => {
    reasons.push(Object(headers)["change-justification"]);
    const path = new URL(url).pathname;
    const asked = JSON.parse(String(body)) as { identityUid?: string };
    sent.push({ path, ...(asked.identityUid && { identity: asked.identityUid }) });
    if (path.endsWith(":batchCreate")) return missing();
    if (asked.identityUid === refuses)
      return Response.json({ code: 7, message: "You may not.", details: [] }, { status: 403 });
    return Response.json({ ...asked, uid: `${parent}/${String(sent.length).padStart(16, "0")}`, name: "" });
  });
});
afterEach(() => vi.unstubAllGlobals());

function link(changeJustifications = false): void {
  connect({
    baseUrl: "https://api.example",
    token: async () => "t",
    onUnauthenticated: () => undefined,
    changeJustifications,
  });
}

it("says why with each request, where the service keeps that, and nowhere else", async () => {
  const justified = { ...grant, justification: "Zoë's shift" };
  await granting()(justified);
  expect(reasons).toEqual([undefined, undefined, undefined, undefined]);
  reasons = [];
  link(true);
  await granting()(justified);
  expect(reasons).toEqual(["Zo%C3%AB%27s%20shift", "Zo%C3%AB%27s%20shift", "Zo%C3%AB%27s%20shift"]);
});

const granting = () =>
  renderHook(() => useGrant(), {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  }).result.current;

const identities = () => sent.flatMap(({ identity }) => identity ?? []);

it("sends one grant as the specification has it", async () => {
  const [first] = grant.identities as [string];
  await granting()({ ...grant, identities: [first] });
  expect(sent).toEqual([{ path: `/iam/v2/roleBindings/${parent}`, identity: first }]);
});

it("asks once whether there are batches, and creates one by one where there are none", async () => {
  expect(requestsOf(client, grant).map(({ endpoint }) => endpoint.path)).toEqual([
    "/iam/v2/roleBindings:batchCreate",
  ]);
  expect(await granting()(grant)).toHaveLength(3);
  expect(sent.map(({ path }) => path.slice("/iam/v2/".length))).toEqual([
    "roleBindings:batchCreate",
    ...Array.from({ length: 3 }, () => `roleBindings/${parent}`),
  ]);
  expect(requestsOf(client, grant).map(({ endpoint }) => endpoint.path)).toEqual(
    grant.identities.map(() => "/iam/v2/roleBindings/{parent}"),
  );
  await granting()(grant);
  expect(sent.filter(({ path }) => path.endsWith(":batchCreate"))).toHaveLength(1);
});

it("says how many were granted when one is refused, and sends only the rest again", async () => {
  const [one, two, three] = grant.identities as [string, string, string];
  refuses = two;
  const submit = granting();
  await expect(submit(grant)).rejects.toThrow(
    "1 of 3 have the role now. Granting the next one failed: You may not.",
  );
  refuses = undefined;
  expect(await submit(grant)).toHaveLength(3);
  expect(identities()).toEqual([one, two, two, three]);
});
