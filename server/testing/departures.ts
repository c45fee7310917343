import { readdirSync, readlinkSync } from "node:fs";
import type { Server } from "node:http";
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from "node:http2";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

import { endpoints } from "platform-contract";

import { readConfig } from "../config";
import { createGrpc, isGrpc } from "../platform/grpc/service";
import type { Handler } from "../platform/standard/call";
import { createCore, createListener } from "../platform/http/app";
import type { Calls } from "../platform/http/calls";
import {
  createHttpServer,
  forHttp2,
  type Http2Listener,
  type Listener,
  type Patience,
} from "../platform/http/server";
import { createLog } from "../log";
import { callerWith } from "./app";
import { closeServer } from "./site";
import { portOf } from "../port";

const ROOT = "ab".repeat(20);
const LIST = "/iam/v2/groups";
const RPC = "/chainguard.platform.iam.v2.GroupsService/ListGroups";
const EVERYTHING = [...new Set(endpoints.flatMap(({ access }) => access.needs))];

/** More than the kernel's buffers of a connection over loopback hold. */
const large = (megabytes: number) => ({
  items: Array.from({ length: megabytes }, () => ({ name: "x".repeat(1_000_000) })),
});
const LARGE = large(16);
/** Through a proxy: the buffers of two connections, of which each can grow to 32 MB. */
const LARGER = large(72);

/** What a request is doing when its client goes away. */
export const STATES = [
  "nothing sent",
  "arriving",
  "queued",
  "running",
  "answering",
  "waiting to be read",
] as const;
export type State = (typeof STATES)[number];

export const PROTOCOLS = ["HTTP/1.1", "HTTP/2", "gRPC"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const HTTP1_WAYS = ["FIN", "RST", "half-close", "silence", "chatter"];
const HTTP2_WAYS = [...HTTP1_WAYS, "GOAWAY", "GOAWAY with an error", "a destroyed session", "reset streams"];
export const waysOf = (protocol: Protocol): readonly string[] =>
  protocol === "HTTP/1.1" ? HTTP1_WAYS : HTTP2_WAYS;

/** A client that can go away in every way that its protocol knows. */
export interface Departing {
  leave(way: string): void;
  /** Frees what the client itself holds. */
  destroy(): void;
}

/** Three: a caller has two running, so the third is queued. */
const REQUESTS = 3;

/** Everything behind a port, which takes a while to build. */
interface Behind {
  readonly calls: Calls;
  readonly listener: Listener;
  readonly http2Listener: Http2Listener;
  /** What its handlers do. */
  work: () => Promise<unknown>;
}

/** Left by a test after which nothing was held. */
let unused: Behind | undefined;

function build(): Behind {
  const config = readConfig({ PUBLIC_URL: "http://127.0.0.1:8080", SEED: "none" });
  const log = createLog("silent");
  const handler: Handler = () => behind.work();
  const app: Parameters<typeof createListener>[0] = {
    config,
    log,
    handlers: new Map(endpoints.map(({ id }) => [id, handler])),
    consoleDirectory: fileURLToPath(new URL("./console", import.meta.url)),
    database: {
      kind: "postgres",
      query: () => Promise.resolve([]),
      transaction: () => Promise.reject(new Error("not in this test")),
      close: () => Promise.resolve(),
    },
    authenticator: { authenticate: () => Promise.resolve(callerWith(EVERYTHING, [ROOT])) },
    provider: {
      callback: (_request, response) => void response.end(),
      jwks: () => Promise.resolve({ keys: [] }),
    },
  };
  const core = createCore(app);
  const listener = createListener(app, core);
  const grpc = createGrpc({ config, log, operations: core.router.operations, calls: core.calls });
  const behind: Behind = {
    calls: core.calls,
    listener,
    http2Listener: (request, response) =>
      isGrpc(request) ? grpc(request, response) : forHttp2(listener)(request, response),
    work: () => Promise.resolve({}),
  };
  return behind;
}

/** The HTTP layer of the service over handlers that answer on command or with more than a client takes at once. */
export class HeldService {
  private readonly held = new Set<() => void>();
  private large: ReturnType<typeof large> | undefined;
  private released = false;

  private constructor(
    private readonly server: Server,
    private readonly behind: Behind,
    readonly port: number,
  ) {
    behind.work = () => this.work();
  }

  static async start(patience?: Patience): Promise<HeldService> {
    const behind = unused ?? build();
    unused = undefined;
    const domain = { serviceDomain: "platform.example" };
    const server = createHttpServer(domain, behind.listener, patience, behind.http2Listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new HeldService(server, behind, portOf(server));
  }

  private work(): Promise<unknown> {
    if (this.large) return Promise.resolve(this.large);
    if (this.released) return Promise.resolve({});
    return new Promise((resolve) => this.held.add(() => resolve({})));
  }

  /** Lets what runs end, and what is queued behind it. */
  release(): void {
    this.released = true;
    for (const end of this.held) end();
    this.held.clear();
  }

  places = (): ReturnType<Calls["places"]> => this.behind.calls.places();

  connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  /** Brings a client into a state. `port` is another one with a proxy in front. */
  async reach(protocol: Protocol, state: State, port = this.port): Promise<Departing> {
    const isLarge = state === "answering" || state === "waiting to be read";
    this.large = isLarge ? (port === this.port ? LARGE : LARGER) : undefined;
    const before = await this.connections();
    const client = (protocol === "HTTP/1.1" ? overHttp1 : overHttp2(protocol))(port, state);
    const { callers, tokens } = {
      callers: () => this.places().callers,
      tokens: () => this.places().tokens,
    };
    if (state === "nothing sent") await expect.poll(this.connections, POLL).toBeGreaterThan(before);
    else if (state === "arriving") await expect.poll(client.arrived, POLL).toBe(true);
    else if (state === "queued") await expect.poll(callers, POLL).toMatchObject({ running: 2, waiting: 1 });
    else if (state === "running") await expect.poll(callers, POLL).toMatchObject({ running: 1, waiting: 0 });
    else {
      await expect.poll(callers, POLL).toMatchObject({ running: 0, unsent: 1 });
      if (state === "answering") await expect.poll(client.arrived, POLL).toBe(true);
    }
    expect(tokens().running).toBe(0);
    return client;
  }

  async expectNoPlaces(patience = POLL): Promise<void> {
    const none = { running: 0, waiting: 0, unsent: 0 };
    await expect.poll(this.places, patience).toEqual({ tokens: none, addresses: none, callers: none });
  }

  /** Waits until nothing of a client is left, whatever it was doing. */
  async expectNothingLeft(files: number): Promise<void> {
    await this.expectNoPlaces();
    await expect.poll(this.connections, POLL).toBe(0);
    // Fewer are fine: other tests in this process close theirs.
    await expect.poll(openSockets, POLL).toBeLessThanOrEqual(files);
    unused = this.behind;
  }

  stop(): Promise<void> {
    this.release();
    return closeServer(this.server);
  }
}

export const POLL = { interval: 5, timeout: 5_000 };

/** Sockets that this process has open, clients included; 0 where the system does not list them. */
export function openSockets(): number {
  try {
    return readdirSync("/proc/self/fd").filter((name) => linkOf(name).startsWith("socket:")).length;
  } catch {
    return 0;
  }
}

function linkOf(name: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${name}`);
  } catch {
    // Closed since it was listed.
    return "";
  }
}

type Client = Departing & {
  /** True if the state's first bytes have come: of the request at the service, or of the answer at the client. */
  readonly arrived: () => boolean;
};

/** Says something all the time, to look alive. */
function chatter(): { start(say: () => void): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  return { start: (say) => void (timer = setInterval(say, 20)), stop: () => clearInterval(timer) };
}

const countOf = (state: State): number => (state === "nothing sent" ? 0 : state === "queued" ? REQUESTS : 1);

function overHttp1(port: number, state: State): Client {
  const chatting = chatter();
  let answered = 0;
  let sent = 0;
  const sockets = Array.from({ length: Math.max(1, countOf(state)) }, (): Socket => {
    // Half-open, so that a client that stays does not leave just because the service does.
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    const head = "Host: x\r\nAuthorization: Bearer good\r\n";
    const count = () => (sent += 1);
    if (state === "arriving")
      socket.write(`POST ${LIST}/${ROOT} HTTP/1.1\r\n${head}Content-Length: 99\r\n\r\n{`, count);
    else if (state !== "nothing sent") socket.write(`GET ${LIST} HTTP/1.1\r\n${head}\r\n`, count);
    if (state === "waiting to be read") socket.pause();
    else
      socket.on("data", () => {
        answered += 1;
        if (state === "answering") socket.pause();
      });
    return socket;
  });
  const each = (act: (socket: Socket) => void) => () => sockets.forEach(act);
  const destroy = each((socket) => socket.destroy());
  return {
    arrived: () => (state === "arriving" ? sent === sockets.length : answered > 0),
    leave: leaver({
      FIN: destroy,
      RST: each((socket) => socket.resetAndDestroy()),
      "half-close": each((socket) => socket.end()),
      silence: () => {},
      chatter: () => chatting.start(each((socket) => socket.write("x"))),
    }),
    destroy: () => {
      chatting.stop();
      destroy();
    },
  };
}

const overHttp2 =
  (protocol: Protocol) =>
  (port: number, state: State): Client => {
    const chatting = chatter();
    let answered = false;
    let sent = false;
    const initialWindowSize = state === "waiting to be read" ? 0 : 65_535;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const session: ClientHttp2Session = connectHttp2(`http://127.0.0.1:${port}`, {
      settings: { initialWindowSize },
      createConnection: () => socket,
    });
    session.on("error", () => {});
    session.on("remoteSettings", () => (sent = true));
    const streams = Array.from({ length: countOf(state) }, (): ClientHttp2Stream => {
      const arriving = state === "arriving";
      const stream = session.request(
        protocol === "gRPC"
          ? { ":method": "POST", ":path": RPC, "content-type": "application/grpc", te: "trailers", ...BEARER }
          : { ":method": arriving ? "POST" : "GET", ":path": arriving ? `${LIST}/${ROOT}` : LIST, ...BEARER },
        { endStream: protocol !== "gRPC" && !arriving },
      );
      stream.on("error", () => {});
      if (arriving) stream.write("{");
      // A message without fields: not compressed, no bytes.
      else if (protocol === "gRPC") stream.end(Buffer.alloc(5));
      stream.once("data", () => {
        answered = true;
        stream.pause();
      });
      return stream;
    });
    const destroy = () => {
      session.destroy();
      socket.destroy();
    };
    // A proxy can have cut the session on a slow machine.
    const goAway = (code: number) => void (session.destroyed || session.goaway(code));
    return {
      arrived: () => (state === "arriving" ? sent : answered),
      leave: leaver({
        FIN: () => socket.destroy(),
        RST: () => socket.resetAndDestroy(),
        "half-close": () => socket.end(),
        GOAWAY: () => goAway(constants.NGHTTP2_NO_ERROR),
        "GOAWAY with an error": () => goAway(constants.NGHTTP2_INTERNAL_ERROR),
        "a destroyed session": () => session.destroy(),
        "reset streams": () => streams.forEach((stream) => stream.close(constants.NGHTTP2_CANCEL)),
        silence: () => {},
        chatter: () => chatting.start(() => void (session.destroyed || session.ping(() => {}))),
      }),
      destroy: () => {
        chatting.stop();
        destroy();
      },
    };
  };

const leaver =
  (ways: Readonly<Record<string, () => void>>) =>
  (way: string): void => {
    const act = ways[way];
    if (!act) throw new Error(`no client leaves by ${way}`);
    act();
  };

const BEARER = { authorization: "Bearer good" };
