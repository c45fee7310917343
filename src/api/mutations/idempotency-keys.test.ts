import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { groups } from "platform-contract/iam/groups";

import { FakeGroups, ROOT, uidOf, type FakeGroup } from "../testing/fake-groups";
import { settle } from "../testing/settle";
import { sendCreate } from "./send-create";
import type { UnconfirmedCreate } from "./unconfirmed-create";

let service: FakeGroups;
let client: QueryClient;
let own: { current: UnconfirmedCreate | undefined };
let duplicates: FakeGroup[];

const open = (idempotencyKeys: boolean) => {
  service = new FakeGroups(0, { idempotencyKeys });
};
beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  own = { current: undefined };
  duplicates = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const body = { name: "new", description: "mine" };
const send = (next: object = body) =>
  settle(
    sendCreate(client, groups, { parent: ROOT, body: next as typeof body }, own, (duplicate) =>
      duplicates.push(duplicate as FakeGroup),
    ),
  );
const named = (name = "new") => service.groups.filter((group) => group.name === name);
const writes = () => service.asked.filter((asked) => asked === "POST").length;
/** Loses the responses to the next `count` POSTs. */
const loseNext = (count: number, when: "before" | "after") => {
  let left = count;
  service.lose = when;
  service.fail = ({ method }) => {
    if (method === "POST" && left-- <= 0) service.lose = undefined;
    return undefined;
  };
};

describe("a service that keeps idempotency keys", () => {
  beforeEach(() => open(true));

  it.each(["before", "after"] as const)(
    "gets a lost create again with the same key: one record, whatever was lost (%s the write)",
    async (when) => {
      loseNext(2, when);
      expect(await send()).toMatchObject({ name: "new" });
      expect(named()).toHaveLength(1);
      // The list is not read; the connection may be looked at.
      expect([writes(), service.asked.filter((asked) => asked.startsWith("GET order_by"))]).toEqual([3, []]);
    },
  );

  it("reuses the key for the next attempt if there was no response", async () => {
    loseNext(9, "after");
    expect(await send()).toMatchObject({ outcome: "unknown", message: expect.stringContaining("is safe") });
    service.lose = undefined;
    service.fail = undefined;
    expect(await send()).toMatchObject({ name: "new" });
    expect(named()).toHaveLength(1);
  });

  it("uses a new key after a response", async () => {
    await send();
    await send();
    expect(named()).toHaveLength(2);
  });

  it("that starts after a kill is asked again: what the first request did is not denied", async () => {
    let refusals = 2;
    service.fail = ({ method }) => {
      if (method !== "POST" || refusals-- === 0) return undefined;
      return Response.json({ code: 14, message: "The service is starting" }, { status: 503 });
    };
    expect(await send()).toMatchObject({ name: "new" });
    expect(named()).toHaveLength(1);
  });

  it("refuses for good what it refuses on a repetition", async () => {
    let first = true;
    service.fail = ({ method }) => {
      if (method !== "POST") return undefined;
      if (first) {
        first = false;
        throw new TypeError("Failed to fetch");
      }
      return Response.json({ code: 3, message: "Invalid argument" }, { status: 400 });
    };
    expect(await send()).toMatchObject({ code: "INVALID_ARGUMENT", outcome: undefined });
    expect(own.current).toBeUndefined();
  });
});

describe("a service that keeps none", () => {
  beforeEach(() => open(false));

  it("gets no key", async () => {
    const headers: (string | null)[] = [];
    const inner = globalThis.fetch;
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
      headers.push(new Headers(init.headers).get("idempotency-key"));
      return inner(url, init);
    });
    await send();
    expect(new Set(headers)).toEqual(new Set([null]));
  });

  it("reports a duplicate that the browser's retry created", async () => {
    // The browser's own repetition: the page sees one exchange.
    const inner = globalThis.fetch;
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      if (init.method === "POST") await inner(url, init);
      return inner(url, init);
    });
    const record = await send();
    expect(named()).toHaveLength(2);
    const { uid } = record as FakeGroup;
    const others = service.groups.filter((group) => group.name === body.name && group.uid !== uid);
    expect(others).toHaveLength(1);
    expect(duplicates.map((duplicate) => duplicate.uid)).toEqual(others.map((group) => group.uid));
  });

  it("reports no duplicate for a single record, or an older one with the same values", async () => {
    service.groups.push({ uid: uidOf(5), ...body, createTime: "2020-01-01T00:00:00Z" });
    await send();
    expect(duplicates).toEqual([]);
  });

  it("that restarts after a kill is checked before a refusal counts", async () => {
    service.fail = ({ method }) => {
      if (method !== "POST") return undefined;
      service.groups.unshift({ uid: uidOf(77), ...body, createTime: new Date().toISOString() });
      return Response.json({ code: 14, message: "The service is starting" }, { status: 503 });
    };
    expect(await send()).toMatchObject({ uid: uidOf(77) });
  });

  it("stays refused if the check finds nothing, and is unknown without a check", async () => {
    service.fail = () => Response.json({ code: 14, message: "The service is starting" }, { status: 503 });
    expect(await send()).toMatchObject({ outcome: "unknown" });
    service.fail = ({ method }) =>
      method === "POST" ? Response.json({ code: 14, message: "busy" }, { status: 503 }) : undefined;
    own.current = undefined;
    expect(await send({ ...body, name: "other" })).toMatchObject({ message: "busy", outcome: undefined });
  });
});
