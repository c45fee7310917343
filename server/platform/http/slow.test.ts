import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { closeServer } from "../../testing/site";
import { createHttpServer } from "./server";

const server = createHttpServer(
  { serviceDomain: "platform.example" },
  // Reads the whole request before responding, like all handlers with a body.
  (request, response) => void request.resume().on("end", () => response.end("read")),
  { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 },
);
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => closeServer(server));

/** Sends a partial request; returns what the server sent until it closed the connection. */
async function beginAndWait(text: string): Promise<string> {
  const address = server.address();
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  socket.write(text);
  await once(socket, "close");
  return received;
}

test.each([
  ["headers", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "],
  ["a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"],
])("%s that do not end lose the connection, with a reason", async (_name, text) => {
  const received = await beginAndWait(text);
  expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(received).toContain('"message":"Invalid argument: the request took too long to arrive"');
});

test("the service waits a minute at most for a request, and less for its headers", () => {
  const { headersTimeout, requestTimeout } = createHttpServer({ serviceDomain: "x.example" }, () => {});
  expect([headersTimeout, requestTimeout]).toEqual([20_000, 60_000]);
});
