import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiError } from "platform-client/errors";
import { sendTestEvent } from "platform-contract/events/deliveries";
import { groupInvites } from "platform-contract/iam/group-invites";
import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { roles } from "platform-contract/iam/roles";

import { AuthError } from "~/auth/errors";

import { call, connect, readRaw } from "./client";
import { enterPast, NOW } from "./moment";
import { pastAt } from "~/shell/moment/past";

const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;
const group = { uid, name: "acme" };

let requests: Request[];
let answers: ((request: Request) => Response | Promise<Response>)[];
let tokens: string[];
const onUnauthenticated = vi.fn();

const json =
  (value: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(value, init);
const refusal = (code: number, http: number, headers = {}) =>
  json({ code, message: "no" }, { status: http, headers });

beforeEach(() => {
  requests = [];
  answers = [];
  tokens = ["t1"];
  onUnauthenticated.mockClear();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const request = new Request(url, { ...init, signal: init.signal ?? null });
    requests.push(request);
    init.signal?.throwIfAborted();
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer) throw new TypeError("fetch failed");
    return answer(request);
  });
  link();
});
afterEach(() => vi.unstubAllGlobals());

function link(fieldMaskCase: "camel" | "snake" = "camel"): void {
  connect({
    baseUrl: "https://api.example/base",
    token: async ({ refused } = {}) => {
      if (refused === tokens.at(-1)) tokens.push(`t${tokens.length + 1}`);
      return tokens.at(-1) ?? "";
    },
    onUnauthenticated,
    fieldMaskCase,
  });
}

const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => {
      throw new Error("did not fail");
    },
    (error: ApiError) => error,
  );

describe("a request", () => {
  it("keeps the slashes of a uid and carries the token", async () => {
    answers = [json(group)];
    await call(groups.get, { path: { uid } });
    expect(requests[0]?.url).toBe(`https://api.example/base/iam/v2/groups/${uid}`);
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer t1");
    expect(requests[0]?.headers.get("content-type")).toBeNull();
  });

  it("writes query keys in snake_case, and repeatable ones several times", async () => {
    answers = [json({})];
    const query = { "uidp.descendants_of": uid, "uidp.ids": ["a", "b"], page_size: 5, order_by: "name desc" };
    await call(groups.list, { query: { ...query, "uidp.in_root": true, name: undefined } });
    expect(new URL(requests[0]?.url ?? "").search).toBe(
      `?uidp.descendants_of=${encodeURIComponent(uid)}&uidp.ids=a&uidp.ids=b&page_size=5&order_by=name+desc&uidp.in_root=true`,
    );
  });

  it("writes field masks in the case that the service reads", async () => {
    answers = [json({ uid, name: "ci" })];
    const input = {
      path: { uid },
      query: { updateMask: "claimMatch.subject,description" },
      body: { name: "ci" },
    };
    await call(identities.update, input);
    link("snake");
    await call(identities.update, input);
    expect(requests.map(({ url }) => new URL(url).searchParams.get("updateMask"))).toEqual([
      "claimMatch.subject,description",
      "claim_match.subject,description",
    ]);
    expect(await requests[0]?.text()).toBe('{"name":"ci"}');
    expect(requests[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("is not sent to a path outside the collection", async () => {
    const elsewhere = call(groups.delete, { path: { uid: `x/../../identities/${uid}` } });
    await expect(elsewhere).rejects.toMatchObject({ kind: "refused", code: "NOT_FOUND" });
    expect(requests).toEqual([]);
  });

  it("goes to the collection itself when the parent is empty", async () => {
    answers = [json(group)];
    await call(groups.create, { path: { parent: "" }, body: { name: "acme" } });
    expect(requests[0]?.url).toBe("https://api.example/base/iam/v2/groups");
  });
});

describe("an answer", () => {
  it("has its rows under items, and counts as text", async () => {
    answers = [json({ groups: [group], nextPageToken: "n", totalCount: 118, skipped: 3 })];
    expect(await call(groups.list)).toEqual({
      items: [group],
      nextPageToken: "n",
      totalCount: "118",
      skipped: 3,
    });
  });

  it.each([{}, { groups: null, nextPageToken: null, totalCount: null }, { groups: [], nextPageToken: "" }])(
    "may leave out what is empty: %j",
    async (body) => {
      answers = [json(body)];
      expect(await call(groups.list)).toEqual({ items: [] });
    },
  );

  it("has nulls read as absent and unknown things kept", async () => {
    answers = [
      json({ ...group, description: null, addedLater: { a: [1, null], b: null }, kind: "ORG_KIND_NEW" }),
    ];
    expect(await call(groups.get, { path: { uid } })).toEqual({
      ...group,
      addedLater: { a: [1] },
      kind: "ORG_KIND_NEW",
    });
  });

  it.each([
    ["nothing", () => new Response("")],
    ["{}", json({})],
    ["204", () => new Response(null, { status: 204 })],
  ])("to a delete may be %s", async (_what, answer) => {
    answers = [answer];
    expect(await call(groups.delete, { path: { uid } })).toBeUndefined();
  });

  it.each([
    ["HTML", () => new Response("<html>")],
    ["cut off", () => new Response('{"uid":"a')],
    ["about another record", json({ ...group, uid: "b" })],
    ["empty", () => new Response("")],
    ["a record without a uid", json({ name: "x" })],
    ["an error page", () => new Response("<h1>Bad request</h1>", { status: 400 })],
    ["an error in another form", json({ error: "x" }, { status: 400 })],
  ])("that is %s is not what the console expects", async (_what, answer) => {
    answers = [answer];
    expect(await failure(call(groups.get, { path: { uid } }))).toMatchObject({
      kind: "invalid",
      message: "The service returned an unexpected response.",
    });
  });

  it("to an act at a record can be another one", async () => {
    const delivery = { uid: crypto.randomUUID(), type: "x" };
    answers = [json(delivery)];
    expect(await call(sendTestEvent, { path: { uid }, body: {} })).toEqual(delivery);
  });

  it("of a gateway says that the service is unavailable, and when to try again", async () => {
    answers = [() => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "retry-after": "9" } })];
    expect(await failure(call(groups.get, { path: { uid } }))).toMatchObject({
      kind: "invalid",
      message: "The service is unavailable: a gateway returned HTTP 502.",
      retryAfter: 9,
      outcomeUncertain: "pending",
    });
  });

  it("that isn't a list page includes the request id", async () => {
    answers = [json({ groups: [{ name: "no uid" }] }, { headers: { "x-request-id": "r-1" } })];
    expect(await failure(call(groups.list))).toMatchObject({ kind: "invalid", requestId: "r-1" });
  });

  it("to a delete that is a proxy's page proves nothing about the record", async () => {
    answers = [() => new Response("<html>Sign in to the network</html>")];
    expect(await failure(call(groups.delete, { path: { uid } }))).toMatchObject({
      kind: "invalid",
      http: 200,
    });
  });

  it("that refuses keeps the whole status", async () => {
    answers = [refusal(14, 503, { "retry-after": "7", "x-request-id": "r-1" })];
    expect(await failure(call(roles.list))).toMatchObject({
      kind: "refused",
      code: "UNAVAILABLE",
      http: 503,
      message: "no",
      requestId: "r-1",
      retryAfter: 7,
    });
  });

  it("that is missing or incomplete counts as unreachable", async () => {
    answers = [];
    expect(await failure(call(roles.list))).toMatchObject({
      kind: "unreachable",
      message: "api.example can't be reached.",
    });
    const broken = new ReadableStream({
      start: (controller) => controller.error(new TypeError("terminated")),
    });
    answers = [() => new Response(broken)];
    expect((await failure(call(roles.list))).kind).toBe("unreachable");
  });

  it("that was aborted is not an error of the API", async () => {
    const controller = new AbortController();
    controller.abort(new Error("left"));
    answers = [json({})];
    await expect(call(roles.list, { signal: controller.signal })).rejects.toThrow("left");
  });
});

describe("a raw read", () => {
  const asked = { endpoint: groups.list, query: { page_size: "0x" } };

  it("returns a refusal as it came, with the time that it took", async () => {
    answers = [refusal(3, 400, { "x-request-id": "r-1" })];
    const { response, text, milliseconds } = await readRaw(asked);
    expect([response.status, response.headers.get("x-request-id")]).toEqual([400, "r-1"]);
    expect(JSON.parse(text)).toEqual({ code: 3, message: "no" });
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    expect(requests[0]?.url).toBe("https://api.example/base/iam/v2/groups?page_size=0x");
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer t1");
  });

  it("renews the token once", async () => {
    answers = [refusal(16, 401), json({ groups: [] })];
    expect((await readRaw(asked)).response.status).toBe(200);
    expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer t1", "Bearer t2"]);
  });

  it("never sends a write", async () => {
    answers = [json({})];
    await expect(readRaw({ endpoint: groups.delete, path: { uid } })).rejects.toThrow("not a read");
    expect(requests).toEqual([]);
  });

  it("that gets no response counts as unreachable", async () => {
    answers = [];
    expect((await failure(readRaw(asked) as Promise<never>)).kind).toBe("unreachable");
  });
});

describe("a 401", () => {
  const byToken = (good: string) => (request: Request) =>
    request.headers.get("authorization") === `Bearer ${good}` ? Response.json({}) : refusal(16, 401)();

  it("renews once and tries once more", async () => {
    answers = [byToken("t2")];
    expect(await call(roles.list)).toEqual({ items: [] });
    expect(tokens).toEqual(["t1", "t2"]);
    expect(onUnauthenticated).not.toHaveBeenCalled();
  });

  it("renews once however many requests are refused", async () => {
    answers = [byToken("t2")];
    await Promise.all([call(roles.list), call(groups.list), call(roles.list)]);
    expect(tokens).toEqual(["t1", "t2"]);
  });

  it("ends the session if the renewed token is refused too", async () => {
    answers = [refusal(16, 401)];
    expect(await failure(call(roles.list))).toMatchObject({ kind: "refused", code: "UNAUTHENTICATED" });
    expect(requests).toHaveLength(2);
    expect(onUnauthenticated).toHaveBeenCalledTimes(1);
  });

  it("fails every call after the session ended, without a request", async () => {
    const token = () => Promise.reject(new AuthError("ended", "The session has ended."));
    connect({ baseUrl: "https://api.example", token, onUnauthenticated });
    expect(await failure(call(roles.list))).toMatchObject({
      kind: "refused",
      code: "UNAUTHENTICATED",
      http: 401,
    });
    const gone = () => Promise.reject(new AuthError("unreachable", "No sign-in service."));
    connect({ baseUrl: "https://api.example", token: gone, onUnauthenticated });
    expect(await failure(call(roles.list))).toMatchObject({
      kind: "unreachable",
      message: "No sign-in service.",
      // Without a token nothing was sent, so nothing can have happened.
      outcomeUncertain: undefined,
    });
    expect(requests).toEqual([]);
  });
});

describe("the filter of the root level, which is not in the specification", () => {
  const nested = { uid, name: "nested" };
  const root = { uid: "c".repeat(40), name: "root" };
  const asked = () => requests.map(({ url }) => new URL(url).search);
  const top = () => call(groups.list, { query: { "uidp.in_root": true, page_size: 2 } });

  it("is applied to the rows of a service that ignores it", async () => {
    answers = [json({ groups: [nested, root], totalCount: "2", nextPageToken: "more" })];
    expect(await top()).toEqual({ items: [root], nextPageToken: "more" });
    answers = [json({ groups: [root], totalCount: "1" })];
    expect(await top()).toEqual({ items: [root], totalCount: "1" });
  });

  it("is left out where it is refused, once for all", async () => {
    const refused = { field: "uidp.inRoot", description: "unknown" };
    answers = [
      json(
        {
          code: 3,
          message: "no",
          details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [refused] }],
        },
        { status: 400 },
      ),
      json({ groups: [nested, root] }),
    ];
    expect((await top()).items).toEqual([root]);
    expect((await top()).items).toEqual([root]);
    expect(asked()).toEqual(["?uidp.in_root=true&page_size=2", "?page_size=2", "?page_size=2"]);
  });

  it("stays where something else is refused", async () => {
    link();
    answers = [refusal(3, 400)];
    await expect(top()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("while the page shows a moment of the past", () => {
  const MOMENT = "2026-11-14T09:12:59.999Z";
  beforeEach(() => enterPast(pastAt(MOMENT)));
  afterEach(() => enterPast(undefined));
  const asked = () => requests.map(({ url }) => new URL(url).searchParams.get("read_time"));

  it("asks for it where the log tells, except for what the user may do now", async () => {
    answers = [json({ groups: [] })];
    await call(groups.list, { query: { page_size: 1 } });
    await call(groups.list, { query: { ...NOW, page_size: 1 } });
    await readRaw({ endpoint: groups.list });
    answers = [json(group)];
    await call(groups.get, { path: { uid } });
    answers = [json({ groupInvites: [] })];
    await call(groupInvites.list, {});
    expect(asked()).toEqual([MOMENT, null, MOMENT, MOMENT, null]);
  });

  it("compared with another moment, reads what was not there as of that, and only what the log tells", async () => {
    const OTHER = "2026-11-20T10:00:00.000Z";
    enterPast(pastAt(MOMENT, OTHER));
    answers = [refusal(5, 404), json(group)];
    expect(await call(groups.get, { path: { uid } })).toMatchObject({ uid });
    answers = [refusal(5, 404)];
    await expect(call(groupInvites.get, { path: { uid } })).rejects.toMatchObject({ code: "NOT_FOUND" });
    // What names a time is about that alone.
    await expect(
      call(groups.get, { path: { uid }, query: { read_time: MOMENT } as object }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(asked()).toEqual([MOMENT, OTHER, null, MOMENT]);
  });

  it("sends no write", async () => {
    answers = [json(group)];
    const error = await failure(call(groups.update, { path: { uid }, body: { name: "other" } }));
    expect(error).toMatchObject({ code: "FAILED_PRECONDITION", unsent: true });
    expect(requests).toEqual([]);
  });

  it("asks for now again once it shows that", async () => {
    enterPast(undefined);
    answers = [json(group)];
    await call(groups.get, { path: { uid } });
    await call(groups.update, { path: { uid }, body: { name: "other" } });
    expect(asked()).toEqual([null, null]);
  });
});
