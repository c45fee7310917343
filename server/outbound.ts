import { isIP, type LookupFunction } from "node:net";
import {
  buildConnector,
  EnvHttpProxyAgent,
  fetch as send,
  Pool,
  type Dispatcher,
  type RequestInit as Init,
} from "undici";

import {
  isListed,
  isLocalName,
  isReachable,
  mayResolve,
  namesIn,
  withoutBrackets,
  type PrivateHost,
} from "./addresses";
import { createResolve, type Resolve } from "./names";

/** Maximum bytes of one response. */
const ANSWER_BYTES = 1_000_000;

/** A tenant named an address in a private network, such as the service's own, that PRIVATE_HOSTS does not allow. */
export class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is not an address that this service may reach`);
  }
}

/** A host that the operator's allow list does not have. */
export class UnlistedHost extends Error {
  constructor(host: string) {
    super(`${host} is not in the allow list`);
  }
}

/** No complete response within the time of the request. */
export class TookTooLong extends Error {
  constructor(address: string) {
    super(`${address} took too long`);
  }
}

/** What decides which addresses requests can reach. */
interface Reach {
  readonly privateHosts: readonly PrivateHost[];
  readonly resolve: Resolve;
}

/** Resolves a name. Fails if any of its addresses is out of reach, since the connection can use any of them. */
async function addressesOf(host: string, { privateHosts, resolve }: Reach) {
  if (isLocalName(host) && !mayResolve(privateHosts, host)) throw new PrivateAddress(host);
  const found = await resolve(host);
  if (found.length === 0 || !found.every(({ address }) => isReachable(privateHosts, host, address)))
    throw new PrivateAddress(host);
  return found;
}

const checkedLookup =
  (reach: Reach): LookupFunction =>
  (host, options, answer) => {
    const refused = (error: Error) => answer(error, []);
    addressesOf(host, reach).then((found) => {
      const [first] = found;
      if (options.all || !first) return answer(null, [...found]);
      return answer(null, first.address, first.family);
    }, refused);
  };

/** Connects only to reachable addresses and only over TLS. */
function checkedConnector(reach: Reach): buildConnector.connector {
  const connect = buildConnector({ lookup: checkedLookup(reach) });
  return (options, done) => {
    const host = withoutBrackets(options.hostname);
    // IP literals bypass `lookup`, so check them here.
    const refused =
      options.protocol !== "https:" || (isIP(host) !== 0 && !isReachable(reach.privateHosts, host, host));
    return refused ? done(new PrivateAddress(host), null) : connect(options, done);
  };
}

/**
 * The same through a proxy, which resolves the name again: no literal addresses, and a name that only the proxy can
 * resolve has to be one of PRIVATE_HOSTS.
 */
function checkedTunnel(tunnel: buildConnector.connector, reach: Reach): buildConnector.connector {
  const open = async (options: buildConnector.Options, done: buildConnector.Callback): Promise<void> => {
    const host = withoutBrackets(options.hostname);
    try {
      if (options.protocol !== "https:" || isIP(host) !== 0) throw new PrivateAddress(host);
      await addressesOf(host, reach);
    } catch (error) {
      const isListedName = isListed(namesIn(reach.privateHosts), host);
      if (error instanceof PrivateAddress || !isListedName) return done(error as Error, null);
    }
    tunnel(options, done);
  };
  return (options, done) => void open(options, done);
}

/** Hosts that are on this machine, for which a proxy is never right. */
const THIS_MACHINE = "localhost,127.0.0.1,[::1]";

/**
 * Sends requests through the proxies of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, if any. With `reach`, only to addresses
 * that it allows; without, to any.
 */
export function createDispatcher(reach?: Reach, timeout?: number): Dispatcher {
  const listed = process.env["no_proxy"] ?? process.env["NO_PROXY"] ?? "";
  const direct = reach && checkedConnector(reach);
  return new EnvHttpProxyAgent({
    noProxy: listed.trim() === "*" ? "*" : `${listed},${THIS_MACHINE}`,
    // Proxies open tunnels to port 443, and forward what is not encrypted.
    proxyTunnel: false,
    ...(timeout !== undefined && { connect: { timeout } }),
    ...(reach &&
      direct && {
        connect: direct,
        // With another connector than that for direct connections, it is the tunnel through a proxy.
        factory: (origin: string | URL, options: Pool.Options) => {
          const { connect } = options;
          if (connect === direct) return new Pool(origin, options);
          if (typeof connect !== "function") throw new TypeError("no connector");
          return new Pool(origin, { ...options, connect: checkedTunnel(connect, reach) });
        },
      }),
  });
}

export type Outbound = (
  address: string,
  init?: Pick<RequestInit, "method" | "headers"> & { readonly body?: string | URLSearchParams | undefined },
) => Promise<Response>;

/**
 * Creates a fetch function for requests to other services: reads the whole response (at most 1 MB), follows no
 * redirects, and times out after `milliseconds` in total. `anywhere` is for addresses that the operator configured;
 * addresses named by a tenant must be https, and public or in `privateHosts`.
 */
export function outbound({
  milliseconds = 10_000,
  anywhere,
  hosts = [],
  privateHosts = [],
  resolve = createResolve({ local: namesIn(privateHosts) }),
}: {
  readonly milliseconds?: number;
  readonly anywhere: boolean;
  /** If any, the only hosts that requests are sent to (see `isListed`). */
  readonly hosts?: readonly string[];
  /** Those of PRIVATE_HOSTS that are for this purpose. */
  readonly privateHosts?: readonly PrivateHost[];
  /** Replaces DNS in tests. */
  readonly resolve?: Resolve;
}): Outbound {
  const dispatcher = createDispatcher(anywhere ? undefined : { privateHosts, resolve });
  return async (address, init = {}) => {
    const { hostname } = new URL(address);
    if (hosts.length > 0 && !isListed(hosts, hostname)) throw new UnlistedHost(hostname);
    // Use a separate timer, so that a response that stalls in its body times out as well.
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new TookTooLong(address)), milliseconds);
    try {
      const answer = await send(address, {
        ...(init as Init),
        dispatcher,
        redirect: "error",
        signal: patience.signal,
      });
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        length += chunk.length;
        if (length > ANSWER_BYTES) throw new Error(`${address} returned more than ${ANSWER_BYTES} bytes`);
        chunks.push(chunk);
      }
      return new Response(length > 0 ? Buffer.concat(chunks) : null, {
        status: answer.status,
        headers: [...answer.headers],
      });
    } finally {
      clearTimeout(timer);
      // Discards any unread part of the response.
      patience.abort();
    }
  };
}

/** True if a failed request was blocked before it was sent. */
export const isRefused = (error: unknown): boolean =>
  error instanceof PrivateAddress ||
  error instanceof UnlistedHost ||
  (error instanceof Error && error.cause !== undefined && isRefused(error.cause));
