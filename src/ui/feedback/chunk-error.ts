/**
 * Handles chunks of the console that fail to load: most likely a new version was deployed while the page was open, and
 * the old file is gone; or the connection broke, and the browser never requests the file again. Reloads the page then,
 * but never because the user is offline, and never twice.
 */

import { Store } from "~/store";

const KEY = "pc.reloaded";
/** Minimum time between two automatic reloads, in ms: two versions behind one address would cause an endless loop. */
const RELOAD_INTERVAL_MS = 60_000;
/** Time within which a reload unloads the page, in ms, unless the user was asked and stayed. */
export const UNLOAD_TIMEOUT_MS = 15_000;
const missing = new WeakSet<object>();

/** `noted` is called when a chunk fails to load, `leaving` before the page is reloaded. */
interface Hooks {
  readonly noted: () => void;
  readonly leaving: () => void;
}
const hooks = new Store<Hooks | undefined>(() => undefined);

export const setChunkErrorHooks: (given: Hooks) => void = hooks.set;

/** Watches for chunks that fail to load; call once, before the first import. */
export function watchChunks(): void {
  window.addEventListener("vite:preloadError", (event) => {
    const error = event.payload;
    if (!(error instanceof Error)) return;
    missing.add(error);
    // The router recognizes the browser's message and would reload the page, even offline.
    error.cause = error.message;
    error.message = "Part of the console couldn't be loaded.";
    hooks.get()?.noted();
  });
  // Vite's loader never requests a file again that has a link in the page, even if it failed to load.
  document.addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === "stylesheet") target.remove();
    },
    { capture: true },
  );
}

export const isChunkError = (error: unknown): boolean =>
  typeof error === "object" && error !== null && missing.has(error);

const entryOf = (page: Document): string | null =>
  page.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;

/** The entry file of the deployed version; undefined if unknown. */
async function deployed(): Promise<string | undefined> {
  try {
    const answer = await fetch(document.baseURI, { cache: "no-store", headers: { accept: "text/html" } });
    if (!answer.ok) return undefined;
    return entryOf(new DOMParser().parseFromString(await answer.text(), "text/html")) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns false if the page was already reloaded for this version, or if the storage is full or forbidden: without it,
 * nothing prevents an endless reload loop.
 */
function remember(newest: string, now: number): boolean {
  try {
    const [entry, at] = (sessionStorage.getItem(KEY) ?? "").split(" ");
    if (entry === newest || now - Number(at ?? 0) < RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(KEY, `${newest} ${now}`);
    return true;
  } catch {
    return false;
  }
}

/** When the page began to reload, in ms since 1970. */
const reloadedAt = new Store(() => -Infinity);

/** Reloads the page; the `leaving` hook keeps unsaved input. */
function reload(now: number): void {
  reloadedAt.set(now);
  hooks.get()?.leaving();
  window.location.reload();
}

/**
 * - `reloading`: the page is about to reload as the deployed version.
 * - `unreachable`: the deployed version is unknown; most likely the connection is down.
 * - `stuck`: the page was already reloaded for this version, or there is no storage to remember it in.
 */
export type Recovery = "reloading" | "unreachable" | "stuck";

/** Finds out why a chunk is missing, and reloads the page if that helps. */
export async function recover(now = Date.now()): Promise<Recovery> {
  const newest = await deployed();
  // Another chunk is missing too, or this one was requested twice: the page is already reloading.
  if (now - reloadedAt.get() < UNLOAD_TIMEOUT_MS) return "reloading";
  if (newest === undefined) return "unreachable";
  if (!remember(newest, now)) return "stuck";
  reload(now);
  return "reloading";
}

/** Reloads the page at the user's request, unless that would show the browser's own error page. */
export async function reloadByHand(): Promise<"reloading" | "unreachable"> {
  if (!(await deployed())) return "unreachable";
  reload(Date.now());
  return "reloading";
}
