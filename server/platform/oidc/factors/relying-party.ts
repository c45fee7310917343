import { isIP } from "node:net";

/**
 * The host and origin that passkeys belong to, for a PUBLIC_URL. The host is the relying party (WebAuthn, section 5.1.3):
 * it has to be a name, in a secure context. Undefined if it is not: then there are no passkeys.
 */
export function relyingPartyAt(
  publicUrl: string,
): { readonly host: string; readonly origin: string } | undefined {
  const { origin, hostname, protocol } = new URL(publicUrl);
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return isName && (protocol === "https:" || isLocal) ? { host: hostname, origin } : undefined;
}
