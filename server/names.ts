import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";

/** Milliseconds of the first attempt at a name server, which double with the next. */
const LOOKUP_OPTIONS = { timeout: 2_000, tries: 2 };

/** Returns the addresses of a name. Fails with ENOTFOUND if it has none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Asks the system's name servers, without getaddrinfo(): that takes one of the process's few threads until it ends, and
 * tenants' name servers would make those threads wait that verify signatures and passwords.
 * @param servers other name servers, each an IP address with an optional port
 * @param local names that the operator knows, looked up as the system does: with /etc/hosts
 */
export function createResolve({
  servers,
  local = [],
}: { readonly servers?: readonly string[]; readonly local?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver(LOOKUP_OPTIONS);
  if (servers) resolver.setServers(servers);
  return async (host) => {
    if (local.includes(host.toLowerCase())) return lookup(host, { all: true });
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(host).then((found) => found.map((address) => ({ address, family: 6 }))),
    ]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    const errors = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    throw errors.find((error) => !isNone(error)) ?? Object.assign(new Error(`${host} has no address`), NONE);
  };
}

const NONE = { code: "ENOTFOUND" };

const isNone = (error: Error): boolean => ["ENOTFOUND", "ENODATA"].includes(String(Object(error).code));
