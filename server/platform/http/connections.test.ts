import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";

import { closeServer } from "../../testing/site";
import { createHttpServer } from "./server";

const TIMEOUTS = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };
let stop = () => Promise.resolve();
afterEach(() => stop());

async function listen(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  sendingIdle: number,
): Promise<Socket> {
  const server = createHttpServer({ serviceDomain: "platform.example" }, listener, {
    ...TIMEOUTS,
    sendingIdle,
  });
  stop = () => closeServer(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return connect((server.address() as AddressInfo).port, "127.0.0.1");
}

const requests = (count: number): string =>
  Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");

test("pipelined requests are answered one after another", async () => {
  let open = 0;
  let most = 0;
  const socket = await listen((request, response) => {
    most = Math.max(most, (open += 1));
    setImmediate(() => {
      open -= 1;
      response.end(request.url);
    });
  }, 10_000);
  let received = "";
  const all = new Promise<void>((resolve) =>
    socket.on("data", (chunk) => {
      received += chunk.toString();
      if (received.endsWith("/9")) resolve();
    }),
  );
  socket.write(requests(10));
  await all;
  expect(most).toBe(1);
  expect(received.match(/\r\n\r\n\/\d/g)).toHaveLength(10);
});

test("a connection that asks for hundreds ahead of their answers is cut, and what it asked for is dropped", async () => {
  const asked: unknown[] = [];
  const socket = await listen((request) => void asked.push(request.url), 10_000);
  socket.on("error", () => {});
  socket.write(requests(300));
  await once(socket, "close");
  expect(asked).toEqual(["/0"]);
});

test("an answer that nobody reads loses its connection, one that is not ready keeps it", async () => {
  const large = Buffer.alloc(16 * 1024 * 1024);
  const slow = new Promise((resolve) => setTimeout(resolve, 300));
  let closed = () => {};
  const cut = new Promise<void>((resolve) => (closed = resolve));
  const socket = await listen((request, response) => {
    if (request.url === "/0") void slow.then(() => response.end("ready"));
    else response.once("close", () => closed()).end(large);
  }, 100);
  socket.on("error", () => {});
  socket.write(requests(1));
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toContain("ready");
  socket.pause();
  socket.write(requests(2).replace("GET /0 HTTP/1.1\r\nHost: x\r\n\r\n", ""));
  await cut;
  socket.destroy();
});
