import { isIP } from "node:net";

import { parseUrl } from "platform-contract/url";

import type { Config } from "./config";
import { createResolve, type Resolve } from "./names";
import { isListed, isLocalName, isPublic } from "./outbound";

const RULE = "must be an https:// address on the internet";
const LIST_RULE = "must be on a host that this service is allowed to send events to";
const PORT_RULE = "must use port 443, or 1024 and above";

/** Milliseconds within which a sink's name must resolve; otherwise it is only checked on delivery. */
const LOOKUP_TIMEOUT_MS = 3_000;

const resolveName = createResolve();

/** True if every address of a name is public; undefined if that cannot be determined now. */
async function resolvesPublicly(host: string, resolve: Resolve): Promise<boolean | undefined> {
  const slow = new Promise<undefined>((over) => setTimeout(over, LOOKUP_TIMEOUT_MS, undefined).unref());
  const found = resolve(host).then(
    (addresses) => addresses.every(({ address }) => isPublic(address)),
    (error: NodeJS.ErrnoException) => (error.code === "ENOTFOUND" ? false : undefined),
  );
  return Promise.race([found, slow]);
}

/**
 * Returns why events cannot be sent to an address that the contract allows, or undefined. The message is the same for a
 * name that does not resolve and for one in a private network. Each delivery resolves the name again (`outbound`).
 */
export async function sinkProblem(
  { fetchAnywhere, sinkHosts }: Pick<Config, "fetchAnywhere" | "sinkHosts">,
  sink: string,
  resolve: Resolve = resolveName,
): Promise<string | undefined> {
  // The contract's own rule rejects invalid URLs.
  const url = parseUrl(sink);
  if (!url) return undefined;
  const { protocol, hostname, port } = url;
  if (sinkHosts.length > 0 && !isListed(sinkHosts, hostname)) return LIST_RULE;
  if (fetchAnywhere) return undefined;
  if (protocol !== "https:") return RULE;
  if (port !== "" && Number(port) < 1024) return PORT_RULE;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return isPublic(host) ? undefined : RULE;
  if (isLocalName(host)) return RULE;
  return (await resolvesPublicly(host, resolve)) === false ? RULE : undefined;
}
