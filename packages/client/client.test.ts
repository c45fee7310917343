import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { sendTestEvent } from "platform-contract/events/deliveries";
import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";

import { createClient, type Client, type ClientOptions } from "./client";
import { ApiError } from "./errors";

const uid = "a".repeat(40);
const group = { uid, name: "acme" };

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
type Act = (response: ServerResponse, seen: Seen) => void;

let server: Server;
let baseUrl: string;
let seen: Seen[];
let acts: Act[];

const json =
  (value: unknown, status = 200, headers = {}): Act =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  };
const refusal = (code: number, status: number, headers = {}) =>
  json({ code, message: "no" }, status, headers);
/** The request arrives, and its answer does not. */
const lose: Act = (response) => response.destroy();

beforeEach(async () => {
  [seen, acts] = [[], []];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, body };
    seen.push(one);
    const act = acts.length > 1 ? acts.shift() : acts[0];
    act?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

const client = (more: Partial<ClientOptions> = {}): Client => createClient({ baseUrl, token: "t1", ...more });
const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error("did not fail")),
    (error: ApiError) => error,
  );
const keys = () => seen.map(({ headers }) => headers["idempotency-key"]);

it("keeps the key of a POST over its retries, and makes another one for the next POST", async () => {
  const { call } = client({ idempotencyKeys: true });
  acts = [lose, refusal(14, 503), json(group)];
  const input = { path: { parent: "" }, body: { name: "acme" } };
  expect(await call(groups.create, input)).toEqual(group);
  await call(groups.create, input);
  const [first, second, third, next] = keys();
  expect(first).toMatch(/^"[\w-]{36}"$/);
  expect([second, third]).toEqual([first, first]);
  expect(next).not.toBe(first);
  await call(groups.create, { ...input, idempotencyKey: "a-key-of-the-caller" });
  expect(keys().at(-1)).toBe('"a-key-of-the-caller"');
});

it("does not repeat a POST without a key, nor a PATCH, whose answer was lost", async () => {
  acts = [lose];
  const { call } = client();
  const created = await failure(call(groups.create, { path: { parent: "" }, body: { name: "acme" } }));
  expect(created).toMatchObject({ kind: "unreachable", outcomeUncertain: "pending" });
  expect(keys()).toEqual([undefined]);
  await failure(call(groups.update, { path: { uid }, body: { name: "x" } }));
  expect(seen).toHaveLength(2);
  acts = [lose, json(group)];
  await call(groups.update, { path: { uid }, body: { name: "x" }, repeatable: true });
  expect(seen).toHaveLength(4);
});

it("repeats any write that the service put off", async () => {
  acts = [refusal(8, 429, { "retry-after": "0" }), refusal(14, 503), json(group)];
  expect(await client().call(groups.update, { path: { uid }, body: { name: "acme" } })).toEqual(group);
  expect(seen.map(({ method }) => method)).toEqual(["PATCH", "PATCH", "PATCH"]);
});

it("takes a repeated delete that finds nothing for done, but not a first one", async () => {
  acts = [lose, refusal(5, 404)];
  expect(await client().call(groups.delete, { path: { uid } })).toBeUndefined();
  expect((await failure(client().call(groups.delete, { path: { uid } }))).code).toBe("NOT_FOUND");
  acts = [refusal(14, 503), refusal(5, 404)];
  expect((await failure(client().call(groups.delete, { path: { uid } }))).code).toBe("NOT_FOUND");
});

it("waits as long as Retry-After says, up to a limit", async () => {
  acts = [refusal(14, 503, { "retry-after": "1" }), json(group)];
  const begin = Date.now();
  await client().call(groups.get, { path: { uid } });
  expect(Date.now() - begin).toBeGreaterThanOrEqual(990);
  acts = [refusal(14, 503, { "retry-after": "61" })];
  const late = await failure(client().call(groups.get, { path: { uid } }));
  expect(late).toMatchObject({ code: "UNAVAILABLE", retryAfter: 61 });
  expect(seen).toHaveLength(3);
});

it("does not press a service that says too many requests and not when to come back", async () => {
  acts = [refusal(8, 429)];
  expect((await failure(client().call(groups.get, { path: { uid } }))).code).toBe("RESOURCE_EXHAUSTED");
  expect(seen).toHaveLength(1);
});

it("gives up after its retries, and repeats nothing that was refused", async () => {
  acts = [refusal(14, 503)];
  await failure(client({ retries: 1 }).call(groups.get, { path: { uid } }));
  expect(seen).toHaveLength(2);
  acts = [refusal(7, 403)];
  await failure(client().call(groups.get, { path: { uid } }));
  expect(seen).toHaveLength(3);
});

it("stops waiting when it is aborted", async () => {
  acts = [refusal(14, 503, { "retry-after": "30" })];
  const controller = new AbortController();
  const { call } = client();
  const called = call(groups.get, { path: { uid }, signal: controller.signal });
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  controller.abort(new Error("left"));
  await expect(called).rejects.toThrow("left");
  await expect(call(groups.get, { path: { uid }, signal: controller.signal })).rejects.toThrow("left");
  expect(seen).toHaveLength(1);
});

it("asks once for another token when one is refused", async () => {
  acts = [
    (response, { headers }) =>
      headers.authorization === "Bearer t2"
        ? json(group)(response, {} as Seen)
        : refusal(16, 401)(response, {} as Seen),
  ];
  const token = vi.fn(({ refused }: { refused?: string } = {}) => Promise.resolve(refused ? "t2" : "t1"));
  expect(await client({ token }).call(groups.get, { path: { uid } })).toEqual(group);
  expect(token).toHaveBeenLastCalledWith({ refused: "t1" });
  expect((await failure(client().call(groups.get, { path: { uid } }))).code).toBe("UNAUTHENTICATED");
  expect(seen).toHaveLength(3);
});

it("iterates over the rows of all pages, reading on only when it is asked", async () => {
  acts = [json({ groups: [group], nextPageToken: "next" }), json({ groups: [{ ...group, name: "b" }] })];
  const rows = client().items(groups.list, { query: { "uidp.in_root": true, order_by: "name" } });
  expect((await rows.next()).value).toEqual(group);
  expect(seen).toHaveLength(1);
  const rest = [];
  for await (const { name } of rows) rest.push(name);
  expect(rest).toEqual(["b"]);
  expect(seen.map(({ url }) => url.slice(url.indexOf("?")))).toEqual([
    "?page_size=200&uidp.in_root=true&order_by=name",
    "?page_size=200&uidp.in_root=true&order_by=name&page_token=next",
  ]);
});

it("gives pages, and fails at the one that is refused", async () => {
  acts = [json({ groups: [group], nextPageToken: "next", totalCount: "7" }), refusal(3, 400)];
  const pages = client().pages(groups.list, { query: { page_size: 1 } });
  expect((await pages.next()).value).toMatchObject({ items: [group], totalCount: "7" });
  await expect(pages.next()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("has the violations of a refusal", async () => {
  const fieldViolations = [{ field: "name", description: "must not be empty" }];
  acts = [
    json(
      {
        code: 3,
        message: "no",
        details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }],
      },
      400,
      { "x-request-id": "r-1" },
    ),
  ];
  const error = await failure(
    client().call(identities.create, { path: { parent: uid }, body: { name: "" } }),
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT", violations: fieldViolations, requestId: "r-1" });
});

it("sends keys and justifications only where the service keeps them", async () => {
  acts = [json({ uid: crypto.randomUUID(), type: "x" })];
  const input = { path: { uid }, body: {}, justification: "because" };
  await client().call(sendTestEvent, input);
  await client({ idempotencyKeys: true, changeJustifications: true }).call(sendTestEvent, input);
  expect(seen.map(({ headers }) => headers["change-justification"] !== undefined)).toEqual([false, true]);
  expect(keys().map((key) => key !== undefined)).toEqual([false, true]);
});

it("sends nothing to a path outside of the collection", async () => {
  const elsewhere = client().call(groups.delete, { path: { uid: `x/../../identities/${uid}` } });
  expect((await failure(elsewhere)).code).toBe("NOT_FOUND");
  expect(seen).toEqual([]);
});

it("tells a service that is not there, one that is late, and one that answers something else", async () => {
  acts = [() => undefined];
  const late = await failure(client({ timeout: 0.05, retries: 0 }).call(groups.get, { path: { uid } }));
  expect(late.message).toContain("didn't respond within 0.05 seconds");
  acts = [(response) => void response.end("<html>")];
  expect((await failure(client().call(groups.get, { path: { uid } }))).kind).toBe("invalid");
  const nobody = createClient({ baseUrl: "http://127.0.0.1:1", token: "t", retries: 0 });
  expect((await failure(nobody.call(groups.get, { path: { uid } }))).kind).toBe("unreachable");
});

it("calls a path as it is written", async () => {
  acts = [json(group)];
  expect(await client().send("POST", "/iam/v2/groups?x=1", { body: { name: "acme" } })).toEqual(group);
  expect(seen[0]).toMatchObject({ method: "POST", url: "/iam/v2/groups?x=1", body: '{"name":"acme"}' });
});
