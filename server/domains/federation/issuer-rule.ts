import { trimEndOf } from "platform-contract/trim";
import { parseUrl } from "platform-contract/url";

import { isReachable, privateHostsFor, withoutBrackets } from "../../addresses";
import { isThisMachine } from "../../config";
import { reachRule } from "../../sinks";
import type { Context } from "../../platform/standard/rules";

/** What is wrong with an issuer, to append to its name; undefined if the service may ask it, or it is no address. */
export function issuerProblem({ config }: Context, issuer: unknown): string | undefined {
  const url = typeof issuer === "string" ? parseUrl(issuer) : undefined;
  if (typeof issuer !== "string" || !url) return undefined;
  if (trimEndOf(issuer, "/").toLowerCase() === config.issuer.toLowerCase())
    return "must be a service other than this one";
  if (config.fetchAnywhere) return undefined;
  const hosts = privateHostsFor(config.privateHosts, "issuer");
  const host = withoutBrackets(url.hostname);
  const isHere = isThisMachine(issuer) && !isReachable(hosts, host, host);
  return issuer.startsWith("http:") || isHere ? reachRule(hosts) : undefined;
}
