import { Agent, createServer, request as send } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { Answer, CutInBody, Effect, Seen } from "./fault";

export interface Match {
  /** GET, POST ...; every method when left out. */
  readonly method?: string;
  /** Tested on the path without the query. */
  readonly path: RegExp;
  /** One more condition, on query or body. */
  readonly when?: (request: Seen) => boolean;
}

export interface RuleOptions {
  /** After so many requests the rule is spent; without it the rule holds until it is removed. */
  readonly times?: number;
  /** The request waits for `release()`: before it is forwarded, or with its answer ready. */
  readonly hold?: "request" | "answer";
}

export interface Rule {
  /** The requests that the rule was applied to. */
  readonly seen: readonly Seen[];
  /** Resolves when `count` requests (one) have met the rule. */
  met(count?: number): Promise<void>;
  /** Lets go what waits, and everything that comes later. */
  release(): void;
  /** Ends the rule; what waits is let go. */
  remove(): void;
}

export interface FaultProxy {
  /** Without a trailing slash: the PUBLIC_URL of the service behind it. */
  readonly url: string;
  /** Newer rules come first; what matches none passes as it is. */
  rule(match: Match, effect: Effect, options?: RuleOptions): Rule;
  /** Whether connections are used again, as they are without a proxy; see `startFaultProxy`. */
  keepAlive: boolean;
  /** Every request since the last `reset()`, those that no rule met too. */
  readonly seen: readonly Seen[];
  /** Removes every rule and forgets what was seen. */
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
 * An HTTP proxy in front of the service at `targetUrl`, on a port that the system chooses unless `port` is one.
 *
 * Each answer closes its connection unless `keepAlive`: on a connection that it has used before, Chromium sends any
 * request again by itself when no answer comes (as RFC 9112, section 9.3.1 allows for idempotent ones only), and the
 * page would never learn that an answer was lost.
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
    const { method = "", url = "" } = request;
    const { pathname: path, searchParams: query } = new URL(url, targetUrl);
    const asked: Seen = { method, url, path, query, body };
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
      // Without compression, so that rules can change what comes back. The host stays: it is the PUBLIC_URL's.
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

/** What is said of one connection is not passed on to the next (RFC 9110, section 7.6.1). */
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

function finish(outcome: Answer | "cut" | CutInBody, response: ServerResponse): void {
  if (outcome === "cut") return void response.socket?.destroy();
  const { status, headers, body } = "cutIn" in outcome ? outcome.cutIn : outcome;
  // A 204 has no body (RFC 9110, section 15.3.5), and says no length.
  const length = status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length });
  if (!("cutIn" in outcome)) return void response.end(status === 204 ? undefined : body);
  const half = Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
  response.write(half, () => response.socket?.destroy());
}
