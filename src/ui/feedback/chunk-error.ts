/**
 * A part of the console that does not arrive: most likely a new version was deployed under an open page, and the file
 * that the page knows is gone; or the connection broke in the middle of it, and the browser never asks for it again. Then the
 * page has to be loaded again; never because somebody is offline, and never twice.
 */

const KEY = "pc.reloaded";
/** Milliseconds in which the page loads itself again once at most: two versions behind one address would go on for ever. */
const ONCE_IN = 60_000;
/** Milliseconds in which the page is gone once it is to be loaded again, unless somebody was asked and stayed. */
export const GONE_IN = 15_000;
const missing = new WeakSet<object>();

/** What is done when a part is missing (`noted`), and before the page is loaded again (`leaving`). */
interface Hooks {
  readonly noted: () => void;
  readonly leaving: () => void;
}
let hooks: Hooks | undefined;

export function setChunkErrorHooks(given: Hooks): void {
  hooks = given;
}

/** Notices every part that does not arrive; once, before the first is asked for. */
export function watchChunks(): void {
  window.addEventListener("vite:preloadError", (event) => {
    const error = (event as Event & { payload: unknown }).payload;
    if (!(error instanceof Error)) return;
    missing.add(error);
    // By the browser's own words the router would load the page again, offline too.
    error.cause = error.message;
    error.message = "Part of the console could not be loaded.";
    hooks?.noted();
  });
  // The loader never asks again for a file that has a link in the page, also when it did not arrive.
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

/** The first file of what is deployed now; undefined when nobody can tell. */
async function deployed(): Promise<string | undefined> {
  try {
    const answer = await fetch(document.baseURI, { cache: "no-store", headers: { accept: "text/html" } });
    if (!answer.ok) return undefined;
    return entryOf(new DOMParser().parseFromString(await answer.text(), "text/html")) ?? undefined;
  } catch {
    return undefined;
  }
}

/** False when the storage is full: nothing would keep the page from being loaded again for ever. */
function remember(text: string): boolean {
  try {
    sessionStorage.setItem(KEY, text);
    return true;
  } catch {
    return false;
  }
}

let leftAt = -Infinity;

/** Loads the page again, with what was typed. */
function reload(now: number): void {
  leftAt = now;
  hooks?.leaving();
  window.location.reload();
}

/**
 * - `reloading`: the page is about to come back as what is deployed now.
 * - `unreachable`: nobody can tell; the connection, most likely.
 * - `stuck`: the page has been loaded again for this version already.
 */
export type Recovery = "reloading" | "unreachable" | "stuck";

/** Finds out why a part is missing, and loads the page again when that helps. */
export async function recover(now = Date.now()): Promise<Recovery> {
  const newest = await deployed();
  // Another part is missing too, or this one was asked for twice: the page is on its way out already.
  if (now - leftAt < GONE_IN) return "reloading";
  if (newest === undefined) return "unreachable";
  const [entry, at] = (sessionStorage.getItem(KEY) ?? "").split(" ");
  if (entry === newest || now - Number(at ?? 0) < ONCE_IN) return "stuck";
  if (!remember(`${newest} ${now}`)) return "stuck";
  reload(now);
  return "reloading";
}

/** Somebody pressed the button: the page is loaded again, unless that would lead to the browser's own error page. */
export async function reloadByHand(): Promise<"reloading" | "unreachable"> {
  if (!(await deployed())) return "unreachable";
  reload(Date.now());
  return "reloading";
}
