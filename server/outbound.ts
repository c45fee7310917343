import ipaddr from "ipaddr.js";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch as send, type RequestInit as Init } from "undici";

import { createResolve, type Resolve } from "./names";

/** Maximum bytes of one response. */
const ANSWER_BYTES = 1_000_000;

/** A tenant named an address in a private network, such as the service's own. */
export class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is not an address on the internet`);
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

/** Addresses in public ranges at which a cloud answers its own machines, with credentials among other things. */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The NAT64 prefix of every network; its last 32 bits are an IPv4 address (RFC 6052, section 2.1). */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number];

/** Without the dotted part, since ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`. */
const hexadecimal = (address: string): string =>
  address.includes(":") ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;

/** The address that a connection ends at, if this one contains another. */
function destinationOf(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  // Unmaps ::ffff:0:0/96.
  const parsed = ipaddr.process(hexadecimal(address));
  if (!(parsed instanceof ipaddr.IPv6) || !parsed.match(NAT64)) return parsed;
  return ipaddr.fromByteArray(parsed.toByteArray().slice(12)) as ipaddr.IPv4;
}

/**
 * True if an IP address is on the public internet: in no special-purpose registry of IANA, nor a cloud's own. 6to4,
 * Teredo and networks' own NAT64 prefixes count as special, whatever address they contain.
 */
export function isPublic(address: string): boolean {
  // A zone makes sense on one link only.
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const destination = destinationOf(address);
  // IPv6 allocates only 2000::/3; legacy notations of IPv4, among others, are outside (RFC 4291, section 2.5.5.1).
  const allocated = destination.kind() === "ipv4" || (destination.toByteArray()[0] ?? 0) >> 5 === 1;
  return allocated && destination.range() === "unicast" && !CLOUD_ADDRESSES.has(destination.toString());
}

/** Names that are local, whatever they resolve to (RFC 6761, 6762, 8375, 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|alt|onion|test|invalid)\.?$/;

/** True for names of one machine or network, which no name server of the internet knows. */
export const isLocalName = (host: string): boolean => !host.includes(".") || LOCAL_NAME.test(host);

/** True if a host is in an allow list of names, in which `*.example.com` stands for every name below `example.com`. */
export const isListed = (hosts: readonly string[], host: string): boolean =>
  hosts.some((listed) => {
    const name = host.toLowerCase().replace(/\.$/, "");
    return listed.startsWith("*.") ? name.endsWith(listed.slice(1)) : name === listed;
  });

/** Resolves a name. Fails if any of its addresses is private, since the connection can use any of them. */
const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (host, options, answer) => {
    const refused = (error: Error) => answer(error, []);
    if (isLocalName(host)) return refused(new PrivateAddress(host));
    resolve(host).then((found) => {
      const [first] = found;
      if (!first || !found.every(({ address }) => isPublic(address)))
        return refused(new PrivateAddress(host));
      return options.all ? answer(null, [...found]) : answer(null, first.address, first.family);
    }, refused);
  };

/** Connects only to public addresses and only over TLS. */
function publicConnector(resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({ lookup: publicLookup(resolve) });
  return (options, done) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, "$1");
    // IP literals bypass `lookup`, so check them here.
    const refused = options.protocol !== "https:" || (isIP(host) !== 0 && !isPublic(host));
    return refused ? done(new PrivateAddress(host), null) : connect(options, done);
  };
}

export type Outbound = (
  address: string,
  init?: Pick<RequestInit, "method" | "headers"> & { readonly body?: string | URLSearchParams | undefined },
) => Promise<Response>;

/**
 * Creates a fetch function for requests to other services: reads the whole response (at most 1 MB), follows no
 * redirects, and times out after `milliseconds` in total. `anywhere` is for addresses that the operator configured;
 * addresses named by a tenant must be public and https.
 */
export function outbound({
  milliseconds = 10_000,
  anywhere,
  hosts = [],
  resolve = createResolve(),
}: {
  readonly milliseconds?: number;
  readonly anywhere: boolean;
  /** If any, the only hosts that requests are sent to (see `isListed`). */
  readonly hosts?: readonly string[];
  /** Replaces DNS in tests. */
  readonly resolve?: Resolve;
}): Outbound {
  const dispatcher = new Agent(anywhere ? {} : { connect: publicConnector(resolve) });
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
