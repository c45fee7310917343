import { Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";

import type { Config } from "../config";
import { answerClientError } from "./client-error";
import { endWhenIdle, oneAtATime } from "./connections";

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;
export type Http2Listener = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Two hundred nested `uidp.ids` exceed Node's 16 kB. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longer than common proxies' idle timeout, so that they close first: we could close a connection about to be used. */
const KEEP_ALIVE_MS = 65_000;

/** Milliseconds. Limits how long a client that trickles its headers or body can hold a connection. */
const PATIENCE = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };

/** Milliseconds within which a client must read some of a response; slow but steady readers keep their connection. */
const SENDING_IDLE_MS = 30_000;

/** Maximum concurrent streams per HTTP/2 connection, as many as HTTP/1.1 can pipeline. */
const STREAMS = 20;
/** Megabytes per HTTP/2 connection: six pages of 4 MB, which a caller can have in flight. */
const SESSION_MEMORY_MB = 32;

/** Start of an HTTP/2 connection (RFC 9113, section 3.4); no HTTP/1.1 method has these first three bytes. */
const PREFACE = Buffer.from("PRI");

type Patience = typeof PATIENCE & { readonly sendingIdle?: number };

/** HTTP/1.1 and HTTP/2 without TLS on the same port, distinguished by the first bytes of a connection. */
class Server extends HttpServer {
  private readonly http2: Http2Server;
  private readonly undecided = new Set<Socket>();
  private readonly sessions = new Set<ServerHttp2Session>();

  constructor(listener: Listener, http2Listener: Http2Listener, patience: Required<Patience>) {
    const { sendingIdle, ...receiving } = patience;
    const shared = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS };
    super({ ...shared, ...receiving }, oneAtATime(endWhenIdle(listener)));
    this.timeout = sendingIdle;
    this.http2 = createHttp2Server(
      {
        settings: { maxConcurrentStreams: STREAMS, maxHeaderListSize: MAX_HEADER_BYTES, enablePush: false },
        maxSessionMemory: SESSION_MEMORY_MB,
        maxSessionInvalidFrames: 100,
      },
      (request, response) => {
        limitStream(request, patience);
        http2Listener(request, response);
      },
    );
    this.http2.on("session", (session) => {
      this.sessions.add(session);
      session.once("close", () => this.sessions.delete(session));
    });
    // Ends idle sessions. A client that breaks the protocol has already been notified, so that error is ignored.
    this.http2.setTimeout(KEEP_ALIVE_MS);
    this.http2.on("sessionError", () => {});
    const [http1] = this.listeners("connection") as ((socket: Socket) => void)[];
    this.removeAllListeners("connection");
    this.on("connection", (socket: Socket) => this.decide(socket, (one) => http1?.call(this, one)));
  }

  private decide(socket: Socket, http1: (socket: Socket) => void): void {
    const timer = setTimeout(() => {
      const error = Object.assign(new Error("nothing came"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
      this.emit("clientError", error, socket);
    }, this.headersTimeout);
    const done = (): void => {
      clearTimeout(timer);
      this.undecided.delete(socket);
      socket.off("readable", look).off("error", done).off("close", done).off("end", end);
    };
    const end = (): void => void socket.destroy();
    let held = Buffer.alloc(0);
    const look = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return;
      held = Buffer.concat([held, bytes]);
      const start = held.subarray(0, PREFACE.length);
      const begins = PREFACE.subarray(0, start.length).equals(start);
      // Too few bytes to decide. Unshifting them would fire "readable" immediately, in a loop.
      if (begins && start.length < PREFACE.length) return;
      done();
      socket.unshift(held);
      if (begins) this.http2.emit("connection", socket);
      else http1(socket);
    };
    this.undecided.add(socket);
    socket.on("readable", look).on("error", done).on("close", done).on("end", end);
  }

  /** Closes connections without a request in flight; HTTP/2 sessions take no more requests and end after the last. */
  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const session of this.sessions) session.close();
    for (const socket of this.undecided) socket.destroy();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const session of this.sessions) session.destroy();
    for (const socket of this.undecided) socket.destroy();
  }
}

/** Limits the time for a request to arrive and for its client to read the response. */
function limitStream(request: Http2ServerRequest, { requestTimeout, sendingIdle }: Required<Patience>): void {
  const { stream } = request;
  const cut = (): void => stream.close(constants.NGHTTP2_CANCEL);
  const arriving = setTimeout(() => {
    if (!stream.readableEnded) cut();
  }, requestTimeout);
  stream.once("close", () => clearTimeout(arriving));
  stream.setTimeout(sendingIdle, () => {
    if (stream.headersSent) cut();
  });
}

/** Creates an HTTP server without listening. `http2Listener` handles HTTP/2 requests. `patience` in milliseconds. */
export function createHttpServer(
  config: Pick<Config, "serviceDomain">,
  listener: Listener,
  patience: Patience = PATIENCE,
  http2Listener: Http2Listener = listener as unknown as Http2Listener,
): HttpServer {
  const server = new Server(listener, http2Listener, { sendingIdle: SENDING_IDLE_MS, ...patience });
  server.on("clientError", (error, socket) =>
    answerClientError(error, socket, `platform.${config.serviceDomain}`),
  );
  return server;
}
