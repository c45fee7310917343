import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

import type { Config } from "./config";
import { isPublic } from "./outbound";

const RULE = "sink must be an https:// address on the internet";
const PORT_RULE = "sink must use port 443, or 1024 and above";

/** Milliseconds in which the name of a sink has to resolve, else it is looked at when something is sent. */
const PATIENCE = 3_000;

/** Names that are of this machine or its network whatever anybody resolves them to (RFC 6761, 6762, 8375, 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|alt|onion|test|invalid)\.?$/;

/** The addresses of a name. */
type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>;

/** Whether every address of a name is public; undefined where nobody can tell now. */
async function resolvesPublicly(host: string, resolve: Resolve): Promise<boolean | undefined> {
  const slow = new Promise<undefined>((over) => setTimeout(over, PATIENCE, undefined).unref());
  const found = resolve(host).then(
    (addresses) => addresses.every(({ address }) => isPublic(address)),
    (error: NodeJS.ErrnoException) => (error.code === "ENOTFOUND" ? false : undefined),
  );
  return Promise.race([found, slow]);
}

/**
 * Why events are not sent to an address that the contract allows; undefined where they are. A name that does not resolve
 * and one that leads into a private network are refused in the same words. What it resolves to later is looked at again with
 * each event (`outbound`).
 */
export async function sinkProblem(
  { fetchAnywhere }: Pick<Config, "fetchAnywhere">,
  sink: string,
  resolve: Resolve = (host) => lookup(host, { all: true }),
): Promise<string | undefined> {
  // What is no address at all breaks the contract's own rule.
  if (fetchAnywhere || !URL.canParse(sink)) return undefined;
  const { protocol, hostname, port } = new URL(sink);
  if (protocol !== "https:") return RULE;
  if (port !== "" && Number(port) < 1024) return PORT_RULE;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return isPublic(host) ? undefined : RULE;
  if (!host.includes(".") || LOCAL_NAME.test(host)) return RULE;
  return (await resolvesPublicly(host, resolve)) === false ? RULE : undefined;
}
