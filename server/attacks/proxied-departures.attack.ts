import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { freePort } from "../testing/app";
import {
  HeldService,
  PROTOCOLS,
  STATES,
  openSockets,
  waysOf,
  type Protocol,
  type State,
} from "../testing/departures";
import { say } from "./neighbour";

/** Longer than the proxy's `timeout client`: it keeps a half-sent request of a client that said GOAWAY for so long. */
const BEYOND_CLIENT = { interval: 5, timeout: 15_000 };

const installed = spawnSync("haproxy", ["-v"]).status === 0;
if (!installed) say("departures through HAProxy: skipped, haproxy is not installed");

/** Ways in which a client stays: only the service's own limits, in milliseconds, free what it holds. */
const STAYS = new Set(["silence", "chatter", "GOAWAY"]);
/** Such clients can read on, so HAProxy keeps the rest of their answer for them. */
const READS_ON = new Set(["HTTP/1.1 half-close", "HTTP/2 GOAWAY with an error"]);
const UNREAD = new Set<State>(["answering", "waiting to be read"]);
const SHORT = {
  headersTimeout: 500,
  requestTimeout: 500,
  connectionsCheckingInterval: 20,
  sendingIdle: 500,
  keepAlive: 500,
};

/** HAProxy in front of a service: the same protocol on both sides, as its documentation does for gRPC. */
async function startProxy(directory: string, servicePort: number, protocol: Protocol) {
  const port = await freePort();
  const http2 = protocol === "HTTP/1.1" ? "" : " proto h2";
  const file = path.join(directory, "haproxy.cfg");
  await writeFile(
    file,
    // Small buffers: with the system's own, the proxy takes in a whole response that its client does not read.
    `global
  maxconn 100
  tune.rcvbuf.server 65536
  tune.sndbuf.client 65536
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
  timeout http-request 2s
  timeout http-keep-alive 1s
frontend in
  bind 127.0.0.1:${port}${http2}
  default_backend service
backend service
  server one 127.0.0.1:${servicePort}${http2}
`,
  );
  const child: ChildProcess = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  const listens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  await expect.poll(listens, { timeout: 10_000 }).toBe(true);
  const ended = once(child, "exit");
  return {
    port,
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), 2_000);
      await ended;
      clearTimeout(kill);
    },
  };
}

describe.runIf(installed)("clients behind HAProxy", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "departures-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const rows = PROTOCOLS.flatMap((protocol) =>
    // The proxy connects once it has a request.
    STATES.filter((state) => state !== "nothing sent").flatMap((state) =>
      [...waysOf(protocol), "a stopped proxy"].map((way): [Protocol, State, string] => [
        protocol,
        state,
        way,
      ]),
    ),
  );

  test.each(rows)("nothing is left: %s, %s, %s", async (protocol, state, way) => {
    const stays = STAYS.has(way) || (UNREAD.has(state) && READS_ON.has(`${protocol} ${way}`));
    const service = await HeldService.start(stays ? SHORT : undefined);
    const proxy = await startProxy(directory, service.port, protocol);
    const before = openSockets();
    const client = await service.reach(protocol, state, proxy.port);
    try {
      if (way === "a stopped proxy") await proxy.stop();
      else client.leave(way);
      service.release();
      await service.expectNoPlaces(BEYOND_CLIENT);
    } finally {
      client.destroy();
      // It keeps connections to the service for its next client.
      await proxy.stop();
    }
    try {
      await service.expectNothingLeft(before);
    } finally {
      await service.stop();
    }
  });
});
