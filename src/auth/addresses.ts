import { parseUrl } from "platform-contract/url";

/** True for a provider's response in the address bar (RFC 6749 4.1.2): at the base URL, with a state. */
export function isCallback(href: string, base: string): boolean {
  const url = new URL(href);
  const query = url.searchParams;
  return (
    url.pathname === new URL(base).pathname && query.has("state") && (query.has("code") || query.has("error"))
  );
}

/** Path, query and fragment of a URL, to return to after sign-in. */
export function pathOfAddress(href: string): string {
  const { pathname, search, hash } = new URL(href);
  return pathname + search + hash;
}

/**
 * Returns a safe path to return to after sign-in: same origin, inside the console, with exactly one leading slash.
 * Anything else becomes the base path, so that neither a provider's response nor a link can redirect elsewhere.
 */
export function safeReturnPath(path: unknown, base: string): string {
  const home = new URL(base);
  const url = typeof path === "string" && /^\/(?![/\\])/.test(path) ? parseUrl(path, base) : undefined;
  if (!url) return home.pathname;
  const inside = url.origin === home.origin && url.pathname.startsWith(home.pathname);
  // Only the resolved form reveals a path such as "/x/..//elsewhere.example".
  const plain = !url.pathname.startsWith("//");
  return inside && plain && !isCallback(url.href, base)
    ? url.pathname + url.search + url.hash
    : home.pathname;
}

/** Sixteen hex digits for an issuer, client and base URL; they separate two consoles on one origin. */
export async function clientHash(authority: string, clientId: string, base: string): Promise<string> {
  const bytes = new TextEncoder().encode([authority, clientId, base].join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
