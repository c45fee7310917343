import { visitInFrame } from "./frame";

/** The browser features that sign-in needs. Tests replace them, with two tabs at a time. */
export interface Surroundings {
  /** The base address of the console, with a trailing slash; it is the redirect address too. */
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
  /** Opens an address in a hidden frame and returns the address of the callback. Rejects with an AuthError. */
  readonly frame: (address: string) => Promise<string>;
  /** Changes only the address bar. */
  readonly rewrite: (path: string) => void;
}

/** The browser itself. Throws when storage is forbidden to this page. */
export const browser = (base: string): Surroundings => ({
  base,
  storage: window.sessionStorage,
  locks: navigator.locks,
  openChannel: (name) => new BroadcastChannel(name),
  now: () => Date.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  href: () => location.href,
  // Replaced, not pushed: Back should lead to where the person came from, not into another redirect.
  go: (address) => location.replace(address),
  frame: visitInFrame,
  rewrite: (path) => history.replaceState(null, "", path),
});
