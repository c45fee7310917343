/**
 * The first requests of a URL, sent while the code that makes them is still loading. Remembers, by URL, what a page
 * load requested; the next load of that URL sends it as soon as there is a token, and `call()` takes the responses.
 */

import type { Answered } from "platform-client/answer";
import { HEADERS } from "platform-client/headers";

import { Store } from "~/store";

/** Prefix of the storage keys; the user follows. */
const REQUESTS_KEY = "pc.first-requests ";

/** Limits: remembered URLs, requests per URL, and milliseconds that count as the start of a page load. */
const MAX_ADDRESSES = 20;
const MAX_REQUESTS = 12;
const PAGE_LOAD_MS = 10_000;

interface Service {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Identifies the user: another user of this browser repeats nothing. */
  readonly owner: string;
}

/** Paths with their queries, by the URL of the console that requested them, most recently used first. */
type Remembered = readonly (readonly [address: string, requests: readonly string[]])[];

interface Early {
  readonly bearer: string;
  readonly answer: Promise<Answered>;
}

const early = new Map<string, Early>();
/** Addresses requested since the page load began; undefined once its start is over. */
const noted = new Store<string[] | undefined>(() => undefined);

const keyOf = (owner: string): string => REQUESTS_KEY + owner;
const addressOfPage = (): string => location.pathname + location.search;

function read(owner: string): Remembered {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(owner)) ?? "[]");
    const isEntry = (entry: unknown): entry is Remembered[number] =>
      Array.isArray(entry) && typeof entry[0] === "string" && Array.isArray(entry[1]);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** Ends the start of the page load: responses that no call has taken by now would be too old. */
function end(): void {
  noted.set(undefined);
  early.clear();
}

/** True if a request is for the collection that the page is about: `/iam/v2/roleBindings?...` on `/role-bindings`. */
function isOfScreen(path: string): boolean {
  const [collection = ""] = location.pathname.slice(new URL(document.baseURI).pathname.length).split("/");
  const name = collection.replaceAll("-", "").toLowerCase();
  return name !== "" && path.toLowerCase().includes(`/${name}`);
}

/** What every page load requests, whatever its URL: who the user is, their roles, their organizations. */
function common(all: Remembered): readonly string[] {
  const [first, ...others] = all.flatMap(([, requests]) => (requests.length > 0 ? [requests] : []));
  // A single URL does not tell its own requests from these.
  if (!first || others.length === 0) return [];
  return first.filter((path) => others.every((requests) => requests.includes(path)));
}

/** The scope in a URL of the console, as it is written there: a uid with `_` for `/`. */
const groupOf = (address: string): string | undefined => /[?&]group=(\w+)/.exec(address)?.[1];

/** What the same screen requested for another scope, for this one: its list, whose query names nothing but the scope. */
function ofOtherScope(all: Remembered, address: string): readonly string[] {
  const group = groupOf(address);
  for (const [kept, requests] of all) {
    const other = groupOf(kept);
    if (group === undefined || other === undefined || kept.replace(other, group) !== address) continue;
    const [before, now] = [other, group].map((param) => encodeURIComponent(param.replaceAll("_", "/")));
    const scoped = `uidp.descendants_of=${before}`;
    return requests.flatMap((path) =>
      path.includes(`${scoped}&`) ? path.replace(scoped, `uidp.descendants_of=${now}`) : [],
    );
  }
  return [];
}

/**
 * Repeats the requests of the last load of this URL, those of its screen first, and starts recording those of this one. At
 * a new URL, sends `first`, and repeats those that all the others have in common, and the lists of the same screen in
 * another scope.
 */
export function sendEarly({ baseUrl, owner }: Service, bearer: string, first: readonly string[] = []): void {
  const address = addressOfPage();
  const all = read(owner);
  const [, requests = [...new Set([...first, ...common(all), ...ofOtherScope(all, address)])]] =
    all.find(([kept]) => kept === address) ?? [];
  // Read from the browser's storage, so do not trust it with where to send a token.
  const validRequests = requests
    .slice(0, MAX_REQUESTS)
    .filter((path) => typeof path === "string" && /^\/[a-z]/.test(path));
  for (const path of validRequests.toSorted((a, b) => Number(isOfScreen(b)) - Number(isOfScreen(a)))) {
    const answer = fetch(baseUrl + path, {
      headers: { ...HEADERS, authorization: `Bearer ${bearer}` },
      cache: "no-store",
      credentials: "omit",
    }).then(async (response) => ({ response, text: await response.text() }));
    // Whoever takes it sees the failure.
    answer.catch(() => undefined);
    early.set(baseUrl + path, { bearer, answer });
  }
  const mine: string[] = [];
  noted.set(mine);
  const keep = (): void => {
    if (noted.get() !== mine) return;
    const next = mine.slice(0, MAX_REQUESTS).map((url) => url.slice(baseUrl.length));
    end();
    try {
      const rest = all.filter(([kept]) => kept !== address);
      localStorage.setItem(keyOf(owner), JSON.stringify([[address, next], ...rest].slice(0, MAX_ADDRESSES)));
    } catch {
      // Storage may be forbidden or full: the next load is as slow as this one.
    }
  };
  setTimeout(keep, PAGE_LOAD_MS);
  // What the user does next does not belong to the URL.
  for (const type of ["pagehide", "pointerdown", "keydown"])
    addEventListener(type, keep, { capture: true, once: true });
}

/** True if there are requests, answered or not, that no call has taken yet. */
export const hasEarly = (): boolean => early.size > 0;

/**
 * Returns, once, the response to a GET that was sent early with this very token; undefined if there is none. Rejects as
 * `fetch()` does, and with the reason of `signal`. A method other than GET may outdate all such responses.
 */
export function takeEarly(
  method: string,
  address: string,
  bearer: string,
  signal: AbortSignal,
): Promise<Answered> | undefined {
  const requested = noted.get();
  if (!requested) return undefined;
  if (method !== "GET") {
    early.clear();
    return undefined;
  }
  requested.push(address);
  const sent = early.get(address);
  early.delete(address);
  if (sent?.bearer !== bearer) return undefined;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason));
    sent.answer.then(resolve, reject);
  });
}
