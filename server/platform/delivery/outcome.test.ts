import { expect, test } from "vitest";

import { failureOf, NoSuccess } from "./outcome";

/** As fetch rejects: the reason is the cause. */
const failed = (facts: object) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("10.0.0.1"), facts) });

test.each([
  [{ code: "ENOTFOUND", syscall: "getaddrinfo" }, "the host has no address on the internet"],
  [{ code: "ENOTFOUND", syscall: "queryA" }, "the host has no address on the internet"],
  [{ code: "EAI_AGAIN", syscall: "getaddrinfo" }, "the host name could not be resolved"],
  [{ code: "ETIMEOUT", syscall: "queryA" }, "the host name could not be resolved"],
  [{ code: "ESERVFAIL", syscall: "queryAaaa" }, "the host name could not be resolved"],
  [{ code: "ECONNREFUSED", syscall: "connect" }, "the connection was refused"],
  [{ code: "ETIMEDOUT", syscall: "connect" }, "there was no connection in time"],
  [{ code: "CERT_HAS_EXPIRED" }, "the certificate has expired"],
  [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "no TLS connection was possible"],
  [{ code: "EPROTO", syscall: "write" }, "no TLS connection was possible"],
  [{ code: "ESOMETHING" }, "the request failed"],
  [{}, "the request failed"],
])("%j is told as %j, without its message", (facts, error) => {
  expect(failureOf(failed(facts))).toEqual({ error });
});

test("a response without success is its status alone", () => {
  expect(failureOf(new NoSuccess(503))).toEqual({ status: 503 });
});
