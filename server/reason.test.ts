import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";

import { outbound } from "./outbound";
import { errorCode, reasonOf } from "./reason";

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("a failed request names its cause", async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/`;
  const cut = [await failureOf(fetch(address)), await failureOf(outbound({ anywhere: true })(address))];
  await new Promise((resolve) => server.close(resolve));
  const refused = [await failureOf(fetch(address)), await failureOf(outbound({ anywhere: true })(address))];
  expect(cut.map(reasonOf)).toEqual(["other side closed", "other side closed"]);
  expect(refused.map(reasonOf)).toEqual(Array(2).fill(`connect ECONNREFUSED 127.0.0.1:${port}`));
});

test.each([
  ["several addresses", new AggregateError([new Error("connect ECONNREFUSED ::1:1"), new Error("other")])],
  [
    "several addresses below",
    new TypeError("fetch failed", { cause: new AggregateError([new Error("connect ECONNREFUSED ::1:1")]) }),
  ],
])("that of %s is the first", (_what, error) => {
  expect(reasonOf(error)).toBe("connect ECONNREFUSED ::1:1");
});

test.each([
  [
    new Error("the database does not open", { cause: new Error("no space") }),
    "the database does not open: no space",
  ],
  [new Error("twice: no space", { cause: new Error("no space") }), "twice: no space"],
  [Object.assign(new Error(""), { code: "ETIMEDOUT" }), "ETIMEDOUT"],
  [new TypeError("fetch failed"), "fetch failed"],
  ["a text", "a text"],
])("%s", (error, reason) => expect(reasonOf(error)).toBe(reason));

test.each([
  [Object.assign(new Error("gone"), { code: "ENOENT" }), "ENOENT"],
  [new DOMException("stopped", "AbortError"), undefined],
  [new Error("no code"), undefined],
  [null, undefined],
])("the code of %s is a text or nothing", (error, code) => expect(errorCode(error)).toBe(code));
