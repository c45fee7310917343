import { isCallback } from "./addresses";

/** Prefix of all storage keys in this browser. */
export const PREFIX = "platform-console:";

/** The OpenID library is a separate chunk, loaded when needed. */
export const loadProvider = () => import("./provider");

/** Predicts what this page load will need, from the URL and the storage. */
export function predictLoad(
  href: string,
  base: string,
): { readonly app: boolean; readonly provider: boolean } {
  if (isCallback(href, base)) return { app: true, provider: true };
  try {
    const kept = Object.keys(window.sessionStorage);
    const signedIn = kept.some((key) => key.startsWith(PREFIX) && key.endsWith(":tokens"));
    return { app: signedIn, provider: !signedIn };
  } catch {
    return { app: false, provider: false };
  }
}
