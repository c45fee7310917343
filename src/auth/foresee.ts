import { isCallback } from "./addresses";

/** Begins the names of all that is kept in this browser. */
export const PREFIX = "platform-console:";

/** The OpenID library is a chunk of its own, loaded when needed. */
export const loadProvider = () => import("./provider");

/** What this page load will probably need, judged by the address and the storage. */
export function foresee(href: string, base: string): { readonly app: boolean; readonly provider: boolean } {
  if (isCallback(href, base)) return { app: true, provider: true };
  try {
    const kept = Object.keys(window.sessionStorage);
    const signedIn = kept.some((key) => key.startsWith(PREFIX) && key.endsWith(":tokens"));
    return { app: signedIn, provider: !signedIn };
  } catch {
    return { app: false, provider: false };
  }
}
