import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";

import { readCurrentUser } from "./read-current-user";

const person = { issuer: "https://id.example", subject: "ada" };
const me = "9".repeat(40);
const root = "a".repeat(40);
const { signal } = new AbortController();

const binding = (index: number, role = "1".repeat(40)) => ({
  uid: `${root}/${index.toString(16).padStart(16, "0")}`,
  identityUid: me,
  roleUid: role,
});

let asked: string[];
let answers: Record<string, (query: URLSearchParams) => Response>;

beforeEach(() => {
  asked = [];
  answers = {
    "/iam/v2/identities:lookupIdentity": () => Response.json({ uid: me }),
    "/iam/v2/roleBindings": () => Response.json({ roleBindings: [binding(1)] }),
    "/iam/v2/roles": (query) =>
      Response.json({
        roles: query.getAll("uidp.ids").map((uid) => ({ uid, name: "r", capabilities: ["CAP"] })),
      }),
    "/iam/v2/groups": () => Response.json({ groups: [] }),
  };
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
  vi.stubGlobal("fetch", async (address: string) => {
    const { pathname, searchParams } = new URL(address);
    asked.push(pathname);
    return answers[pathname]?.(searchParams);
  });
});
afterEach(() => vi.unstubAllGlobals());

const refused = (http: number) => () =>
  Response.json({ code: http === 404 ? 5 : 7, message: "no" }, { status: http });

it("reads identity, bindings and roles", async () => {
  expect(await readCurrentUser(person, signal)).toEqual({
    state: "known",
    identityUid: me,
    bindings: [binding(1)],
    roles: [{ uid: "1".repeat(40), name: "r", capabilities: ["CAP"] }],
  });
  expect(asked).toHaveLength(3);
});

it("reads all pages of bindings, and roles in addresses of a bearable length", async () => {
  const all = Array.from({ length: 450 }, (_, index) => binding(index, index.toString(16).padStart(40, "0")));
  answers["/iam/v2/roleBindings"] = (query) => {
    expect(query.get("identity")).toBe(me);
    const start = Number(query.get("page_token") ?? 0);
    const end = start + Number(query.get("page_size"));
    return Response.json({
      roleBindings: all.slice(start, end),
      ...(end < all.length && { nextPageToken: `${end}` }),
    });
  };
  const { bindings, roles } = await readCurrentUser(person, signal);
  expect([bindings.length, roles.length]).toEqual([450, 450]);
  expect(asked.filter((path) => path === "/iam/v2/roleBindings")).toHaveLength(3);
  expect(asked.filter((path) => path === "/iam/v2/roles")).toHaveLength(9);
});

it("knows nothing where a page token leads to itself", async () => {
  answers["/iam/v2/roleBindings"] = () =>
    Response.json({ roleBindings: [binding(1)], nextPageToken: "same" });
  expect((await readCurrentUser(person, signal)).state).toBe("unknown");
});

it.each(["/iam/v2/identities:lookupIdentity", "/iam/v2/roleBindings", "/iam/v2/roles"])(
  "knows nothing when %s is refused or missing",
  async (path) => {
    for (const http of [403, 404]) {
      answers[path] = refused(http);
      expect((await readCurrentUser(person, signal)).state).toBe("unknown");
    }
  },
);

it("is nobody without bindings, unless some group is visible all the same", async () => {
  answers["/iam/v2/roleBindings"] = () => Response.json({});
  expect((await readCurrentUser(person, signal)).state).toBe("nobody");
  answers["/iam/v2/groups"] = () => Response.json({ groups: [{ uid: root, name: "acme" }] });
  expect(await readCurrentUser(person, signal)).toMatchObject({ state: "unknown", identityUid: me });
});

it("fails when the service is down, which says nothing about anybody", async () => {
  answers["/iam/v2/roleBindings"] = () => new Response("<h1>", { status: 502 });
  await expect(readCurrentUser(person, signal)).rejects.toMatchObject({ kind: "invalid" });
});
