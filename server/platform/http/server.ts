import { Server as HttpServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import type { Config } from "../../config";
import { endWhenIdle, oneAtATime } from "./connections";
import type { Duplex } from "node:stream";
import { Failure } from "../../status";

const REASONS: Readonly<Record<string, readonly [http: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the address and headers are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request took too long to arrive"],
};

/** Responds to requests that Node's parser rejects, also with a google.rpc.Status (AIP-193). */
function answerClientError(error: NodeJS.ErrnoException, stream: Duplex, domain: string): void {
  const socket: Duplex & { readonly bytesWritten?: number } = stream;
  if (error.code === "ECONNRESET" || !socket.writable || (socket.bytesWritten ?? 0) > 0) {
    socket.destroy();
    return;
  }
  const [http, sentence] = (error.code && REASONS[error.code]) || [400, "the request is not valid HTTP"];
  const failure = new Failure("INVALID_ARGUMENT", `Invalid argument: ${sentence}`);
  const body = JSON.stringify(failure.toStatus(domain));
  socket.end(
    [
      `HTTP/1.1 ${http} ${STATUS_CODES[http]}`,
      "content-type: application/json",
      "x-content-type-options: nosniff",
      "cache-control: no-store",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;
export type Http2Listener = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Two hundred nested `uidp.ids` exceed Node's 16 kB. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longer than common proxies' idle timeout, so that they close first: we could close a connection about to be used. */
const KEEP_ALIVE_MS = 65_000;

/** Milliseconds. Limits how long a client that trickles its headers or body can hold a connection. */
const TIMEOUTS = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };

/** Milliseconds within which a client must read some of a response; slow but steady readers keep their connection. */
const SENDING_IDLE_MS = 30_000;

/** Bytes of an HTTP/2 response after which its client has shown that it reads. */
const PIECE_BYTES = 64 * 1024;

/** Maximum concurrent streams per HTTP/2 connection, as many as HTTP/1.1 can pipeline. */
const STREAMS = 20;
/** Megabytes per HTTP/2 connection: six pages of 4 MB, which a caller can have in flight. */
const SESSION_MEMORY_MB = 32;

/** Start of an HTTP/2 connection (RFC 9113, section 3.4); no HTTP/1.1 method has these first three bytes. */
const PREFACE = Buffer.from("PRI");

export type Patience = typeof TIMEOUTS & { readonly sendingIdle?: number; readonly keepAlive?: number };

/** HTTP/1.1 and HTTP/2 without TLS on the same port, distinguished by the first bytes of a connection. */
class Server extends HttpServer {
  private readonly http2: Http2Server;
  /** All of them, in any protocol. */
  private readonly sockets = new Set<Socket>();
  private readonly undecided = new Set<Socket>();
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly http2Sockets = new WeakSet<Socket>();
  /** When a connection was first seen with our side closed. */
  private readonly ended = new WeakMap<Socket, number>();

  constructor(listener: Listener, http2Listener: Http2Listener, patience: Required<Patience>) {
    const { sendingIdle, keepAlive, ...receiving } = patience;
    super(
      { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: keepAlive, ...receiving },
      oneAtATime(endWhenIdle(listener)),
    );
    this.timeout = sendingIdle;
    this.http2 = createHttp2Server(
      {
        settings: { maxConcurrentStreams: STREAMS, maxHeaderListSize: MAX_HEADER_BYTES, enablePush: false },
        maxSessionMemory: SESSION_MEMORY_MB,
        maxSessionInvalidFrames: 100,
      },
      (request, response) => {
        limitStream(request, patience);
        // A client can open and reset a thousand streams in one packet: they are gone by then, and cost nothing more.
        setImmediate(() => {
          if (!request.stream.destroyed && !request.stream.closed) http2Listener(request, response);
        });
      },
    );
    this.http2.on("session", (session) => {
      this.sessions.add(session);
      session.once("close", () => this.sessions.delete(session));
    });
    // Ends idle sessions. A client that breaks the protocol has already been notified, so that error is ignored.
    this.http2.setTimeout(keepAlive);
    this.http2.on("sessionError", () => {});
    const [http1] = this.listeners("connection");
    this.removeAllListeners("connection");
    this.on("connection", (socket: Socket) => {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
      this.decide(socket, (one) => http1?.call(this, one));
    });
    const checking = setInterval(() => this.cutEnded(sendingIdle), patience.connectionsCheckingInterval);
    this.once("close", () => clearInterval(checking));
    checking.unref();
  }

  /**
   * These sockets can be half-open: after we have closed our side, only the client would close the connection. HTTP/1.1
   * limits the rest of a response itself, so that slow readers get it.
   */
  private cutEnded(after: number): void {
    const now = performance.now();
    for (const socket of this.sockets) {
      if (!socket.writableFinished && !(socket.writableEnded && this.http2Sockets.has(socket))) continue;
      const since = this.ended.get(socket) ?? now;
      this.ended.set(socket, since);
      if (now - since >= after) socket.destroy();
    }
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
      const bytes: Buffer | null = socket.read();
      if (bytes === null) return;
      held = Buffer.concat([held, bytes]);
      const start = held.subarray(0, PREFACE.length);
      const begins = PREFACE.subarray(0, start.length).equals(start);
      // Too few bytes to decide. Unshifting them would fire "readable" immediately, in a loop.
      if (begins && start.length < PREFACE.length) return;
      done();
      socket.unshift(held);
      if (!begins) return http1(socket);
      // These sockets may be half-open, so without this a client that has closed its side keeps its streams.
      socket.on("end", end);
      this.http2Sockets.add(socket);
      this.http2.emit("connection", socket);
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
    for (const socket of this.sockets) socket.destroy();
  }
}

/** Limits the time for a request to arrive and for its client to read the response. */
function limitStream(request: Http2ServerRequest, { requestTimeout, sendingIdle }: Required<Patience>): void {
  const { stream } = request;
  const cut = (): void => stream.close(constants.NGHTTP2_CANCEL);
  const arriving = setTimeout(() => {
    if (!stream.readableEnded) cut();
  }, requestTimeout);
  let reading: NodeJS.Timeout | undefined;
  writeInPieces(stream, () => {
    reading ??= setTimeout(cut, sendingIdle);
    reading.refresh();
  });
  stream.once("close", () => {
    clearTimeout(arriving);
    clearTimeout(reading);
  });
}

/**
 * Calls `progressed` before the first piece of a response and after each that was sent. Node's own timeout of a stream
 * takes anything sent on the connection for progress: answers to pings, and other streams behind the same proxy.
 */
function writeInPieces(stream: ServerHttp2Stream, progressed: () => void): void {
  const write = stream._write.bind(stream);
  stream._write = (chunk: Buffer | string, encoding, done) => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    const from = (start: number): void => {
      progressed();
      const end = start + PIECE_BYTES;
      write(bytes.subarray(start, end), "buffer" as BufferEncoding, (error) => {
        if (error || end >= bytes.length) done(error);
        else from(end);
      });
    };
    from(0);
  };
  // Otherwise buffered chunks would bypass `_write`.
  Object.assign(stream, { _writev: null });
}

/** The same listener for HTTP/2: Node makes its messages compatible, but not their types. */
export const forHttp2 = (listener: Listener): Http2Listener => listener as unknown as Http2Listener;

/** Creates an HTTP server without listening. `http2Listener` handles HTTP/2 requests. `patience` in milliseconds. */
export function createHttpServer(
  config: Pick<Config, "serviceDomain">,
  listener: Listener,
  patience: Patience = TIMEOUTS,
  http2Listener: Http2Listener = forHttp2(listener),
): HttpServer {
  const server = new Server(listener, http2Listener, {
    sendingIdle: SENDING_IDLE_MS,
    keepAlive: KEEP_ALIVE_MS,
    ...patience,
  });
  server.on("clientError", (error, socket) =>
    answerClientError(error, socket, `platform.${config.serviceDomain}`),
  );
  return server;
}
