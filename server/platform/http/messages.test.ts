import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { callerWith, send, startApp, type TestApp } from "../../testing/app";
import { headerOf, targetOf } from "./messages";

const ROOT = "ab".repeat(20);

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ caller: callerWith(["CAP_IAM_GROUPS_LIST"], [ROOT]) });
});
afterAll(() => app.stop());

const target = (url: string, host = "console.example") =>
  targetOf({ url, headers: { host }, httpVersionMajor: 1 } as unknown as IncomingMessage);

test.each([
  ["/iam/v2/groups?page_size=5", { path: "/iam/v2/groups", search: "page_size=5" }],
  ["/a/../b", { path: "/b", search: "" }],
  ["/a/%2E%2e/b?x=/../y", { path: "/b", search: "x=/../y" }],
  ["//other.example/a", { path: "//other.example/a", search: "" }],
  ["/a b#c?d", { path: "/a%20b", search: "" }],
  ["http://other.example/a?b", { path: "/a", search: "b" }],
  ["", { path: "/", search: "" }],
  ["*", undefined],
  ["/a\\b", undefined],
])("the target of %s", (url, expected) => {
  expect(target(url)).toEqual(expected);
});

test.each(["a b", "a/b", "user@console.example", "[::1"])("no target with the host %s", (host) => {
  expect(target("/", host)).toBeUndefined();
});

test("a host may be any name or address", () => {
  for (const host of ["Console.Example:8443", "127.0.0.1:80", "[::1]:8080", "xn--bcher-kva.example"])
    expect(target("/a", host)).toEqual({ path: "/a", search: "" });
});

test("a header that was sent twice is both of its values", () => {
  const rawHeaders = ["Authorization", "Bearer a", "accept", "*/*", "authorization", "Bearer b"];
  expect(headerOf({ rawHeaders }, "authorization")).toBe("Bearer a, Bearer b");
  expect(headerOf({ rawHeaders }, "origin")).toBeUndefined();
});

test("two tokens in one request are none", async () => {
  const { status } = await send(`${app.url}/iam/v2/groups`, {
    headers: { authorization: ["Bearer good", "Bearer good"] as unknown as string },
  });
  expect(status).toBe(401);
});

test("the rest of a body that nobody reads ends with its connection", async () => {
  const { port } = new URL(app.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("POST /iam/v2/unicorns HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nbegin");
  const parts: string[] = [];
  socket.setEncoding("utf8").on("data", (part: string) => parts.push(part));
  socket.on("error", () => {});
  await once(socket, "close");
  expect(parts.join("")).toMatch(/^HTTP\/1\.1 404 /);
});
