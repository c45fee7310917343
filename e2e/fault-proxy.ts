import { Agent, createServer, request as send } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { Answer, Effect, Outcome, Seen } from "./fault";

export interface Match {
  /** GET, POST ...; any method if omitted. */
  readonly method?: string;
  /** Matched against the path without the query. */
  readonly path: RegExp;
  /** An additional condition on query or body. */
  readonly when?: (request: Seen) => boolean;
}

export interface RuleOptions {
  /** The rule ends after this many requests; without it, when it is removed. */
  readonly times?: number;
  /** Holds the request until `release()`: before forwarding it, or once its response is ready. */
  readonly hold?: "request" | "answer";
}

export interface Rule {
  /** The requests that the rule was applied to. */
  readonly seen: readonly Seen[];
  /** Resolves when `count` requests (default 1) have matched the rule. */
  met(count?: number): Promise<void>;
  /** Releases held requests, and holds no more. */
  release(): void;
  /** Ends the rule and releases held requests. */
  remove(): void;
}

export interface FaultProxy {
  /** Without a trailing slash: the PUBLIC_URL of the service behind it. */
  readonly url: string;
  /** The newest matching rule applies; unmatched requests pass through unchanged. */
  rule(match: Match, effect: Effect, options?: RuleOptions): Rule;
  /** Whether connections are reused, as they are without a proxy; see `startFaultProxy`. */
  keepAlive: boolean;
  /** Every request since the last `reset()`, including those that matched no rule. */
  readonly seen: readonly Seen[];
  /** Removes all rules and clears `seen`. */
  reset(): void;
  close(): Promise<void>;
}

class ActiveRule implements Rule {
  readonly seen: Seen[] = [];
  readonly #waiting: { count: number; done: () => void }[] = [];
  #release = (): void => undefined;
  readonly released = new Promise<void>((resolve) => (this.#release = resolve));

  constructor(
    readonly match: Match,
    readonly effect: Effect,
    readonly options: RuleOptions,
    readonly remove: () => void,
  ) {}

  applies(request: Seen): boolean {
    const { method, path, when } = this.match;
    return (
      this.seen.length < (this.options.times ?? Infinity) &&
      (method === undefined || method === request.method) &&
      path.test(request.path) &&
      (when?.(request) ?? true)
    );
  }

  meet(request: Seen): void {
    this.seen.push(request);
    for (const { count, done } of this.#waiting) if (this.seen.length >= count) done();
  }

  met(count = 1): Promise<void> {
    if (this.seen.length >= count) return Promise.resolve();
    return new Promise((done) => this.#waiting.push({ count, done }));
  }

  release(): void {
    this.#release();
  }
}

/**
 * Starts an HTTP proxy in front of the service at `targetUrl`, on `port` or else a port that the system chooses. Closes
 * the connection after each response unless `keepAlive`: if a reused connection breaks without a response, Chromium
 * silently resends any request (RFC 9112, section 9.3.1 allows this only for idempotent ones), and the page would never
 * learn that the response was lost.
 */
export async function startFaultProxy(
  targetUrl: string,
  { port = 0 }: { readonly port?: number } = {},
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const rules = new Set<ActiveRule>();
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!proxy.keepAlive) response.shouldKeepAlive = false;
    const body = await textOf(request);
    const { method = "", url = "", headers } = request;
    const { pathname: path, searchParams: query } = new URL(url, targetUrl);
    const asked: Seen = { method, url, path, query, headers, body };
    seen.push(asked);
    const rule = [...rules].toReversed().find((each) => each.applies(asked));
    if (!rule) return forward(request, body).then((real) => pass(real, response));
    rule.meet(asked);
    if (rule.options.hold === "request") await rule.released;
    const real = rule.effect.forward ? await whole(await forward(request, body)) : undefined;
    if (rule.options.hold === "answer") await rule.released;
    finish(rule.effect.answer(real, asked), response);
  }

  function forward({ method, url, headers }: IncomingMessage, body: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      // No compression, so that rules can edit the response. The Host header stays: it is that of PUBLIC_URL.
      const { "accept-encoding": _encoding, connection: _connection, ...passed } = headers;
      const options = { agent, method, path: url, headers: passed };
      send(targetUrl, options, resolve).once("error", reject).end(body);
    });
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const proxy: FaultProxy = {
    keepAlive: false,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    rule: (match, effect, options = {}) => {
      const rule: ActiveRule = new ActiveRule(match, effect, options, () => {
        rules.delete(rule);
        rule.release();
      });
      rules.add(rule);
      return rule;
    },
    reset: () => {
      for (const rule of rules) rule.remove();
      seen.length = 0;
      proxy.keepAlive = false;
    },
    close: async () => {
      for (const rule of rules) rule.remove();
      agent.destroy();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Drops hop-by-hop headers (RFC 9110, section 7.6.1). */
function endToEnd({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const {
    connection: _connection,
    "keep-alive": _keepAlive,
    "transfer-encoding": _coding,
    ...kept
  } = headers;
  return kept;
}

async function whole(real: IncomingMessage): Promise<Answer> {
  const { "content-length": _length, ...headers } = endToEnd(real);
  return { status: real.statusCode ?? 0, headers, body: await textOf(real) };
}

function pass(real: IncomingMessage, response: ServerResponse): void {
  response.writeHead(real.statusCode ?? 0, endToEnd(real));
  real.once("error", () => response.destroy()).pipe(response);
}

function finish(outcome: Outcome, response: ServerResponse): void {
  const { socket } = response;
  if (outcome === "cut") return void socket?.destroy();
  if (outcome === "reset") return void socket?.resetAndDestroy();
  if (outcome === "cut in headers")
    return void socket?.write("HTTP/1.1 200 OK\r\ncontent-ty", () => socket.destroy());
  const { status, headers, body } = "cutIn" in outcome ? outcome.cutIn : outcome;
  // A 204 has no body and no Content-Length (RFC 9110, section 15.3.5).
  const length = status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length });
  if (!("cutIn" in outcome)) return void response.end(status === 204 ? undefined : body);
  const half = Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
  response.write(half, () => response.socket?.destroy());
}
