import { isIP } from "node:net";

import { parseUrl } from "platform-contract/url";

import {
  isListed,
  isLocalName,
  isReachable,
  mayResolve,
  namesIn,
  privateHostsFor,
  withoutBrackets,
  type PrivateHost,
} from "./addresses";
import type { Config } from "./config";
import { createResolve, type Resolve } from "./names";

/** What tenants are told of an address that the service may not reach. */
export const reachRule = (privateHosts: readonly PrivateHost[]): string =>
  `must be an https:// address on the internet${privateHosts.length > 0 ? ", or one of those in the private network that this service may reach" : ""}`;
const LIST_RULE = "must be on a host that this service is allowed to send events to";
const PORT_RULE = "must use port 443, or 1024 and above";

/** Milliseconds within which a sink's name must resolve; otherwise it is only checked on delivery. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** True if every address of a name can be reached; undefined if that cannot be determined now. */
async function leadsSomewhere(
  host: string,
  privateHosts: readonly PrivateHost[],
  resolve: Resolve,
): Promise<boolean | undefined> {
  const slow = new Promise<undefined>((over) => setTimeout(over, LOOKUP_TIMEOUT_MS, undefined).unref());
  const found = resolve(host).then(
    (addresses) => addresses.every(({ address }) => isReachable(privateHosts, host, address)),
    // A listed name may be one that only a proxy resolves.
    (error: NodeJS.ErrnoException) =>
      error.code === "ENOTFOUND" && !isListed(namesIn(privateHosts), host) ? false : undefined,
  );
  return Promise.race([found, slow]);
}

/**
 * Returns why events cannot be sent to an address that the contract allows, or undefined. The message is the same for a
 * name that does not resolve and for one in a private network. Each delivery resolves the name again (`outbound`).
 */
export async function sinkProblem(
  config: Pick<Config, "fetchAnywhere" | "sinkHosts" | "privateHosts">,
  sink: string,
  resolve?: Resolve,
): Promise<string | undefined> {
  const { fetchAnywhere, sinkHosts } = config;
  const privateHosts = privateHostsFor(config.privateHosts, "sink");
  const rule = reachRule(privateHosts);
  // The contract's own rule rejects invalid URLs.
  const url = parseUrl(sink);
  if (!url) return undefined;
  const { protocol, hostname, port } = url;
  if (sinkHosts.length > 0 && !isListed(sinkHosts, hostname)) return LIST_RULE;
  if (fetchAnywhere) return undefined;
  if (protocol !== "https:") return rule;
  if (port !== "" && Number(port) < 1024) return PORT_RULE;
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0) return isReachable(privateHosts, host, host) ? undefined : rule;
  if (isLocalName(host) && !mayResolve(privateHosts, host)) return rule;
  const resolveName = resolve ?? createResolve({ local: namesIn(privateHosts) });
  return (await leadsSomewhere(host, privateHosts, resolveName)) === false ? rule : undefined;
}
