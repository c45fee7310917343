import { visitInFrame } from "./frame";

/** The browser features that sign-in needs. Tests replace them, to run two tabs at a time. */
export interface Surroundings {
  /** The base URL of the console, with a trailing slash; also the redirect URI. */
  readonly base: string;
  readonly storage: Storage;
  readonly locks: Pick<LockManager, "request" | "query">;
  readonly openChannel: (name: string) => Pick<BroadcastChannel, "postMessage" | "addEventListener">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly href: () => string;
  /** Leaves the page. */
  readonly go: (address: string) => void;
  /** Opens a URL in a hidden frame and returns the callback URL. Rejects with an AuthError. */
  readonly frame: (address: string) => Promise<string>;
  /** Changes only the address bar. */
  readonly rewrite: (path: string) => void;
}

/** The real browser. Throws if storage is forbidden to this page. */
export const browser = (base: string): Surroundings => ({
  base,
  storage: window.sessionStorage,
  locks: navigator.locks,
  openChannel: (name) => new BroadcastChannel(name),
  now: () => Date.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  href: () => location.href,
  // Replaced, not pushed: Back should return to the previous page, not into another redirect.
  go: (address) => location.replace(address),
  frame: visitInFrame,
  rewrite: (path) => history.replaceState(null, "", path),
});
