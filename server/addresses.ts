import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

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

type Range = readonly [base: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** One item of PRIVATE_HOSTS. */
export interface PrivateHost {
  /** What it is for; undefined: for both. */
  readonly purpose: Purpose | undefined;
  /** A name, or `*.` and a suffix; else `range` is there. */
  readonly name?: string;
  readonly range?: Range;
}

/** Who names an address: an event subscription, or an identity provider. */
export type Purpose = "sink" | "issuer";

const rangesOf = (...texts: string[]): Range[] => texts.map((text) => ipaddr.parseCIDR(text));

/** Networks that a listed name can lead to (RFC 1918, 6598, 4193). */
const PRIVATE = rangesOf("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7");
/** Only by its address: a name that leads to this machine can be a mistake. */
const LOOPBACK = rangesOf("127.0.0.0/8", "::1/128");
/** Clouds' addresses for their own machines, with credentials among other things: Alibaba, AWS, Google. */
const METADATA = rangesOf("100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/32");

const isWithin = (ranges: readonly Range[], address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ranges.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));

/** The address if it is a private one that can be allowed: never link-local, nor a cloud's own. */
function privateAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!ipaddr.isValid(address) || address.includes("%")) return undefined;
  const destination = destinationOf(address);
  const isPrivate = isWithin([...PRIVATE, ...LOOPBACK], destination) && !isWithin(METADATA, destination);
  return isPrivate ? destination : undefined;
}

const HOST = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * Reads an item of PRIVATE_HOSTS: a host name, `*.` and a suffix, an address, or a network (CIDR), with `sink:` or
 * `issuer:` before it if it is for that purpose only. Undefined if it is none, or not a network that can be allowed.
 */
export function readPrivateHost(text: string): PrivateHost | undefined {
  const [, word, rest = ""] = /^(?:(sink|issuer):)?(.+)$/.exec(text.toLowerCase()) ?? [];
  const purpose = word as Purpose | undefined;
  const [address = "", bits] = rest.split("/");
  const isNumeric = /^[\d.]+$/.test(address) || address.includes(":");
  if (!isNumeric) return bits === undefined && HOST.test(rest) ? { purpose, name: rest } : undefined;
  // As it is written everywhere: ipaddr.js also reads 10.1 and 012.0.0.1.
  if (isIP(address) === 0 || !privateAddress(address)) return undefined;
  const base = ipaddr.parse(address);
  const size = bits ?? (base.kind() === "ipv4" ? "32" : "128");
  if (!/^\d{1,3}$/.test(size) || !ipaddr.isValidCIDR(`${address}/${size}`)) return undefined;
  const isInside = [...PRIVATE, ...LOOPBACK].some(
    ([network, least]) =>
      base.kind() === network.kind() && base.match(network, least) && Number(size) >= least,
  );
  return isInside ? { purpose, range: [base, Number(size)] } : undefined;
}

export const PRIVATE_HOST_RULE =
  "must be a host name, *.example.com, or an address or network within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 127.0.0.0/8, ::1 or fc00::/7, and none of a cloud's own; sink: or issuer: can stand before it";

export const privateHostsFor = (hosts: readonly PrivateHost[], purpose: Purpose): readonly PrivateHost[] =>
  hosts.filter((host) => host.purpose === undefined || host.purpose === purpose);

/** The names and suffixes, for `isListed`. */
export const namesIn = (hosts: readonly PrivateHost[]): readonly string[] =>
  hosts.flatMap(({ name }) => name ?? []);

/** Whether it makes sense to resolve a local name: it is listed itself, or the networks decide. */
export const mayResolve = (hosts: readonly PrivateHost[], host: string): boolean =>
  isListed(namesIn(hosts), host) || hosts.some(({ range }) => range !== undefined);

/** The host of a URL, without the brackets that stand around an IPv6 address. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** True if requests that tenants name may go to an address, which is that of `host` or `host` itself. */
export function isReachable(hosts: readonly PrivateHost[], host: string, address: string): boolean {
  if (isPublic(address)) return true;
  const found = privateAddress(address);
  if (!found) return false;
  if (
    isWithin(
      hosts.flatMap(({ range }) => (range ? [range] : [])),
      found,
    )
  )
    return true;
  return isListed(namesIn(hosts), host) && isWithin(PRIVATE, found);
}
