import ipaddr from "ipaddr.js";
import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch as send, type RequestInit as Init } from "undici";

/** Bytes of one answer. */
const ANSWER_BYTES = 1_000_000;

/** An address that whoever named it has no business with: it leads into the network that the service stands in. */
export class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is not an address on the internet`);
  }
}

/** Whether an IP address is one of the internet: not of this machine, of a private network, or kept for a purpose. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // Of IPv6 only 2000::/3 is given out; outside it lie, among others, old ways to write IPv4 (RFC 4291, section 2.5.5.1).
  const given = parsed.kind() === "ipv4" || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
  return given && parsed.range() === "unicast";
}

type Resolve = typeof lookup;

/** Resolves a name, and refuses it as a whole when any of its addresses is private; the connection takes one of these. */
const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (host, options, answer) =>
    resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const bad =
        error ?? (found.every(({ address }) => isPublic(address)) ? null : new PrivateAddress(host));
      if (bad) return answer(bad, []);
      const [first] = found;
      return options.all ? answer(null, found) : answer(null, first?.address ?? "", first?.family);
    });

/** Connects to public addresses alone, over TLS alone. */
function publicConnector(resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({ lookup: publicLookup(resolve) });
  return (options, done) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, "$1");
    // Nobody is asked about an address that needs no resolving.
    const refused = options.protocol !== "https:" || (isIP(host) !== 0 && !isPublic(host));
    return refused ? done(new PrivateAddress(host), null) : connect(options, done);
  };
}

export type Outbound = (
  address: string,
  init?: Pick<RequestInit, "method" | "headers"> & { readonly body?: string | URLSearchParams | undefined },
) => Promise<Response>;

/**
 * How the service asks others for something: a whole answer of at most a megabyte, without redirects, after so many
 * `milliseconds` in all. `anywhere` is for addresses that the operator vouches for; those that a tenant has named lead to
 * the internet, over https.
 */
export function outbound({
  milliseconds = 10_000,
  anywhere,
  resolve = lookup,
}: {
  readonly milliseconds?: number;
  readonly anywhere: boolean;
  /** For tests: the names of the internet. */
  readonly resolve?: Resolve;
}): Outbound {
  const dispatcher = new Agent(anywhere ? {} : { connect: publicConnector(resolve) });
  return async (address, init = {}) => {
    // A timer of our own, so that an answer that stalls in its body is given up as well.
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new Error(`${address} took too long`)), milliseconds);
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
        if (length > ANSWER_BYTES) throw new Error(`${address} answers more than ${ANSWER_BYTES} bytes`);
        chunks.push(chunk);
      }
      return new Response(length > 0 ? Buffer.concat(chunks) : null, {
        status: answer.status,
        headers: [...answer.headers],
      });
    } finally {
      clearTimeout(timer);
      // Whatever was not read is not waited for.
      patience.abort();
    }
  };
}

/** Whether a failed request was refused before it was sent. */
export const isRefused = (error: unknown): boolean =>
  error instanceof PrivateAddress ||
  (error instanceof Error && error.cause !== undefined && isRefused(error.cause));
