import { once } from "node:events";
import type { Server } from "node:http";
import { connect as connectHttp2, constants } from "node:http2";
import { connect, type AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";

import { closeServer } from "../../testing/site";
import { createHttpServer, type Listener } from "./server";

const TIMEOUTS = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 20 };
let server: Server;
afterEach(() => closeServer(server));

async function listen(listener: Listener, patience: Partial<typeof TIMEOUTS & { sendingIdle: number }> = {}) {
  server = createHttpServer({ serviceDomain: "platform.example" }, listener, { ...TIMEOUTS, ...patience });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

test("a connection that says nothing loses it, with a reason", async () => {
  const { port } = await listen(() => {}, { headersTimeout: 50 });
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  await once(socket, "close");
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
});

test("either protocol is known from its first bytes, however few come at once", async () => {
  const { port } = await listen((request, response) => response.end(request.httpVersion));
  const say = async (...pieces: string[]): Promise<string> => {
    const socket = connect(port, "127.0.0.1").setNoDelay();
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await expect.poll(() => received).not.toBe("");
    socket.destroy();
    return received;
  };
  const rest = "OST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
  expect(await say("P", rest)).toMatch(/1\.1$/);
  // An HTTP/2 server starts with a SETTINGS frame.
  expect((await say("P", "RI", " * HTTP/2.0\r\n\r\nSM\r\n\r\n")).charCodeAt(3)).toBe(4);
});

test("over HTTP/2 a body that does not end and an answer that nobody reads are cut", async () => {
  const large = Buffer.alloc(16 * 1024 * 1024);
  const { url } = await listen(
    (request, response) => {
      if (request.url === "/large") response.end(large);
      else request.resume().on("end", () => response.end("read"));
    },
    { headersTimeout: 1_000, requestTimeout: 1_000, sendingIdle: 300 },
  );
  const session = connectHttp2(url);
  const cut = async (path: string): Promise<number> => {
    const stream = session.request({ ":path": path, ":method": "POST" }, { endStream: path === "/large" });
    stream.on("error", () => {});
    await once(stream, "close");
    return stream.rstCode;
  };
  expect(await cut("/body")).toBe(constants.NGHTTP2_CANCEL);
  // Nothing reads it, so the window fills up.
  expect(await cut("/large")).toBe(constants.NGHTTP2_CANCEL);
  session.destroy();
});

test("a connection has twenty requests at once", async () => {
  let open = 0;
  const { url } = await listen((_request, response) => {
    open += 1;
    if (open === 20) setTimeout(() => response.end(), 50);
  });
  const session = connectHttp2(url);
  await once(session, "remoteSettings");
  expect(session.remoteSettings.maxConcurrentStreams).toBe(20);
  for (let count = 0; count < 30; count++) session.request({ ":path": "/" }).on("error", () => {});
  await expect.poll(() => open).toBe(21);
  session.destroy();
});

test("closing lets what runs finish and takes nothing more", async () => {
  let answer = () => {};
  const { url, port } = await listen((_request, response) => (answer = () => response.end("done")));
  const silent = connect(port, "127.0.0.1");
  const session = connectHttp2(url);
  const stream = session.request({ ":path": "/" });
  stream.setEncoding("utf8");
  await expect.poll(() => answer.length === 0 && String(answer)).toContain("done");
  const closed = Promise.all([once(server, "close"), once(silent, "close")]);
  server.close();
  answer();
  const [text] = (await once(stream, "data")) as [string];
  expect(text).toBe("done");
  stream.resume();
  await closed;
});
