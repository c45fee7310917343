import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { endpoint, type Endpoint } from "platform-contract/endpoint";
import { endpoints } from "platform-contract";

import type { Handler } from "../standard/call";
import { checkPath, createRouter } from "./router";

const ROOT = "ab".repeat(20);
const CHILD = `${ROOT}/${"cd".repeat(8)}`;
const handler: Handler = () => Promise.resolve({});
const all = (list: readonly Endpoint[]) => new Map(list.map(({ id }) => [id, handler]));
const access = { at: "anyone", needs: [] } as const;
const made = (verb: string, method: Endpoint["method"], path: string): Endpoint =>
  endpoint({ collection: "repos", verb, method, path, access, answer: z.unknown(), summary: "" }) as Endpoint;

const router = createRouter(endpoints, all(endpoints));
const found = (method: string, path: string, route = router) => {
  const match = route(method, path);
  return match.kind === "operation"
    ? [match.operation.endpoint.id, match.path.uid || match.path.parent]
    : match.kind;
};

describe("the contract's paths", () => {
  test.each([
    ["GET", "/iam/v2/groups", "groups.list", ""],
    ["HEAD", "/iam/v2/groups", "groups.list", ""],
    ["GET", `/iam/v2/groups/${CHILD}`, "groups.get", CHILD],
    ["GET", `/iam/v2/groups/${CHILD.replace("/", "%2F")}`, "groups.get", CHILD],
    ["GET", `/iam/v2/groups/${CHILD.replace("/", "%2f")}`, "groups.get", CHILD],
    ["POST", `/iam/v2/groups/${CHILD}`, "groups.create", CHILD],
    ["POST", "/iam/v2/groups", "groups.create", ""],
    ["POST", "/iam/v2/groups/", "groups.create", ""],
    ["PATCH", `/iam/v2/roleBindings/${CHILD}`, "roleBindings.update", CHILD],
    ["GET", "/iam/v2/identities:lookupIdentity", "identities.lookupIdentity", ""],
    ["GET", "/iam/v2/identities%3AlookupIdentity", "identities.lookupIdentity", ""],
    ["GET", "/ping/v2/ping", "ping.ping", ""],
  ])("%s %s is %s", (method, path, id, uid) => {
    expect(found(method, path)).toEqual([id, uid]);
  });

  test.each([
    ["PUT", "/iam/v2/groups"],
    ["DELETE", "/iam/v2/groups"],
    ["POST", "/iam/v2/identities:lookupIdentity"],
    ["PUT", `/iam/v2/groups/${CHILD}`],
  ])("%s %s is a known path with another method", (method, path) => {
    expect(found(method, path)).toBe("wrong method");
  });

  test.each(["/iam/v2/unicorns", "/iam/v2", "/iam/v2/identities:unknown", "/iam/v2/groupsX", "/", ""])(
    "%s is nothing",
    (path) => {
      expect(found("GET", path)).toBe("nothing");
    },
  );

  test("an encoded character that does not decode never becomes a uid", () => {
    const match = router("GET", `/iam/v2/groups/${ROOT}%zz`);
    if (match.kind !== "operation") throw new Error(match.kind);
    expect(() => checkPath(match.operation.endpoint, match.path)).toThrow("uid: must be a uid");
  });
});

describe("suffixes before the greedy variable", () => {
  const list = [
    made("get", "GET", "/registry/v2/repos/{uid}"),
    made("delete", "DELETE", "/registry/v2/repos/{uid}"),
    made("getReadme", "GET", "/registry/v2/repos/{uid}/readme"),
    made("size", "GET", "/registry/v2/repos/{uid}/digests/{digest}/size"),
    made("touch", "POST", "/registry/v2/repos/{uid}:touch"),
    made("create", "POST", "/registry/v2/repos/{parent}"),
    made("count", "GET", "/registry/v2/repos/count"),
  ];
  const routes = createRouter(list, all(list));

  test.each([
    ["GET", `/registry/v2/repos/${CHILD}/readme`, "repos.getReadme"],
    ["GET", `/registry/v2/repos/${CHILD}/digests/sha256:00/size`, "repos.size"],
    ["POST", `/registry/v2/repos/${CHILD}:touch`, "repos.touch"],
    ["POST", `/registry/v2/repos/${CHILD}`, "repos.create"],
    ["GET", `/registry/v2/repos/${CHILD}`, "repos.get"],
  ])("%s %s", (method, path, id) => {
    expect(found(method, path, routes)).toEqual([id, CHILD]);
  });

  test("a literal path wins over the variable", () => {
    expect(found("GET", "/registry/v2/repos/count", routes)).toEqual(["repos.count", ""]);
  });

  test("the method of a suffix does not fall through to the record", () => {
    expect(found("DELETE", `/registry/v2/repos/${CHILD}/readme`, routes)).toBe("wrong method");
  });
});

describe("closed by default", () => {
  const ping = made("ping", "GET", "/ping/v2/ping");

  test("an operation that states no capability is not mounted", () => {
    const silent = { ...ping, access: undefined } as unknown as Endpoint;
    expect(() => createRouter([silent], all([silent]))).toThrow("repos.ping does not state the capability");
    const needy = { ...ping, access: { at: "uid", needs: [] } } as unknown as Endpoint;
    expect(() => createRouter([needy], all([needy]))).toThrow("repos.ping does not state the capability");
  });

  test("an operation without a handler is not mounted", () => {
    expect(() => createRouter([ping], new Map())).toThrow("repos.ping has no handler");
  });

  test("a handler without an operation is a mistake", () => {
    expect(() => createRouter([ping], new Map([...all([ping]), ["repos.pong", handler]]))).toThrow(
      "repos.pong",
    );
  });
});
