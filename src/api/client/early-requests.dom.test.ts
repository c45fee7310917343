import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { hasEarly, sendEarly, takeEarly } from "./early-requests";

const service = { baseUrl: "https://api.example", owner: "ann" };
const LIST = "https://api.example/iam/v2/identities?page_size=50";
const asked: string[] = [];
const never = new AbortController().signal;
const take = (method: string, address: string, bearer = "t") => takeEarly(method, address, bearer, never);
/** Loads the page at `path`, takes the early responses of `addresses` and returns them. */
const load = (path: string, ...addresses: string[]) => {
  history.replaceState(null, "", path);
  asked.length = 0;
  sendEarly(service, "t");
  const taken = addresses.map((address) => take("GET", address));
  return taken;
};
const leave = () => dispatchEvent(new Event("pagehide"));

beforeEach(() => {
  localStorage.clear();
  document.head.innerHTML = '<base href="/" />';
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return new Response(`answer ${asked.length}`);
  });
});
afterEach(() => {
  leave();
  vi.unstubAllGlobals();
});

it("sends the requests of the last load of an address early, and hands out each response once", async () => {
  expect(load("/identities", LIST)).toEqual([undefined]);
  leave();
  expect(load("/groups")).toEqual([]);
  expect(asked).toEqual([]);
  leave();
  const [first] = load("/identities", LIST);
  expect(asked).toEqual([LIST]);
  expect((await first)?.text).toBe("answer 1");
  expect(take("GET", LIST)).toBeUndefined();
});

it("sends first what the screen itself lists", () => {
  const bindings = "https://api.example/iam/v2/roleBindings?page_size=50";
  const groups = "https://api.example/iam/v2/groups?uidp.in_root=true";
  load("/role-bindings", groups, LIST, bindings);
  leave();
  load("/role-bindings");
  expect(asked).toEqual([bindings, groups, LIST]);
});

it("sends the requests common to all addresses at a new one", () => {
  const person = "https://api.example/iam/v2/identities:lookup?subject=ann";
  const groups = "https://api.example/iam/v2/groups?uidp.in_root=true";
  load("/groups", person, groups);
  leave();
  load("/identities");
  expect(asked).toEqual([]);
  for (const url of [person, LIST, groups]) void take("GET", url);
  leave();
  load("/roles");
  expect(asked).toEqual([person, groups]);
});

it("sends the list of a screen that was visited in another scope, and nothing about that scope's records", () => {
  const list = (scope: string) =>
    `https://api.example/iam/v2/identities?uidp.descendants_of=${scope}&order_by=name`;
  load(
    "/identities?group=a_b",
    list("a%2Fb"),
    "https://api.example/iam/v2/groups?uidp.ids=a%2Fb%2Fc&page_size=1",
    "https://api.example/iam/v2/groups/a/b",
  );
  leave();
  load("/roles?group=a_d");
  expect(asked).toEqual([]);
  leave();
  load("/identities?group=a_d&name=ci");
  expect(asked).toEqual([]);
  leave();
  load("/identities?group=a_d");
  expect(asked).toEqual([list("a%2Fd")]);
});

it("says whether a request, answered or not, waits for its reader", () => {
  load("/identities", LIST);
  leave();
  expect(hasEarly()).toBe(false);
  history.replaceState(null, "", "/identities");
  sendEarly(service, "t");
  expect(hasEarly()).toBe(true);
  void take("GET", LIST);
  expect(hasEarly()).toBe(false);
});

it("sends the certain requests of an address that was never loaded, each once, and not those of a known one", () => {
  const person = "https://api.example/iam/v2/identities:lookup?subject=ann";
  const first = [LIST, person].map((url) => url.slice(service.baseUrl.length));
  history.replaceState(null, "", "/identities");
  asked.length = 0;
  sendEarly(service, "t", first);
  expect(asked).toEqual([LIST, person]);
  void take("GET", LIST);
  leave();
  asked.length = 0;
  sendEarly(service, "t", first);
  expect(asked).toEqual([LIST]);
});

it("serves no other token, nothing requested before a write, and nothing after user input", () => {
  load("/identities", LIST);
  leave();
  load("/identities");
  expect(take("GET", LIST, "other")).toBeUndefined();
  leave();
  load("/identities", LIST);
  leave();
  load("/identities");
  take("POST", LIST);
  expect(take("GET", LIST)).toBeUndefined();
  leave();
  load("/identities");
  dispatchEvent(new Event("keydown"));
  expect(take("GET", LIST)).toBeUndefined();
});

it("sends the token only to the service, and nothing for another user", () => {
  const kept = (requests: unknown) =>
    localStorage.setItem("pc.first-requests ann", JSON.stringify([["/identities", requests]]));
  kept(["//evil.example/", "@evil.example", ".evil.example/x", 7, "/iam/v2/groups"]);
  load("/identities");
  expect(asked).toEqual(["https://api.example/iam/v2/groups"]);
  leave();
  kept("nonsense");
  load("/identities");
  expect(asked).toEqual([]);
  sendEarly({ ...service, owner: "bob" }, "t");
  expect(asked).toEqual([]);
});

it("fails and is aborted like the request that it replaces", async () => {
  load("/identities", LIST);
  leave();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("cut")));
  await expect(load("/identities", LIST)[0]).rejects.toThrow("cut");
  leave();
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  load("/identities");
  await expect(takeEarly("GET", LIST, "t", AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
});
