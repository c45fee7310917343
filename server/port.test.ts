import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";

import { portOf } from "./port";

test("a server has a port while it listens on one", async () => {
  const server = createServer();
  expect(() => portOf(server)).toThrow("listens on no port");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  expect(portOf(server)).toBeGreaterThan(0);
  server.close();
  await once(server, "close");
  expect(() => portOf(server)).toThrow("listens on no port");
});
