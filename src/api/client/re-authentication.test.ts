import { afterEach, expect, it, vi } from "vitest";

import { groups } from "platform-contract/iam/groups";

import { setUp } from "~/auth/testing/signed-in-tabs";
import { call, connect } from "./client";

afterEach(() => vi.unstubAllGlobals());

/** A session, a service that accepts the tokens in `good`, and the tokens that it received. */
function open() {
  const { issuer, open: openTab } = setUp();
  const { session, listener } = openTab(issuer.issue());
  const bearers: (string | null)[] = [];
  const good = new Set<string>();
  vi.stubGlobal("fetch", async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const bearer = headers["authorization"]?.replace("Bearer ", "") ?? null;
    bearers.push(bearer);
    return good.has(bearer ?? "")
      ? Response.json({ items: [] })
      : Response.json({ code: 16, message: "Unauthenticated" }, { status: 401 });
  });
  connect({ baseUrl: "https://api.example", token: session.token, onUnauthenticated: session.end });
  const tenCalls = () => Promise.allSettled(Array.from({ length: 10 }, () => call(groups.list)));
  return { issuer, session, listener, bearers, good, tenCalls };
}

const count = (bearers: readonly unknown[], token: string) => bearers.filter((each) => each === token).length;

it("renews once and sends each once more when ten requests are refused at the same time", async () => {
  const { issuer, session, bearers, good, tenCalls } = open();
  good.add("access-2");
  const results = await tenCalls();
  expect(results.map(({ status }) => status)).toEqual(Array(10).fill("fulfilled"));
  expect([count(bearers, "access-1"), count(bearers, "access-2")]).toEqual([10, 10]);
  expect(issuer.used).toEqual(["refresh-1"]);
  expect(session.state).toBe("active");
});

it("ends the session once when the renewed token is refused too, and asks the service no more", async () => {
  const { session, listener, bearers, tenCalls } = open();
  const results = await tenCalls();
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect(bearers).toHaveLength(20);
  expect(session.ending).toBe("expired");
  // Notified of the renewal, and of the end.
  expect(listener).toHaveBeenCalledTimes(2);
  await tenCalls();
  expect(bearers).toHaveLength(20);
});

it("ends the session once when nothing renews it", async () => {
  const { issuer, session, listener, bearers, tenCalls } = open();
  issuer.endEverything();
  const results = await tenCalls();
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect(bearers).toHaveLength(10);
  expect(issuer.used).toEqual(["refresh-1"]);
  expect(session.ending).toBe("expired");
  expect(listener).toHaveBeenCalledTimes(1);
});
