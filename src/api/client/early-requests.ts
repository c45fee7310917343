/**
 * The first requests of an address, sent while the code that makes them is still on its way. What a page load asked for is
 * remembered by its address; the next load of the same one sends it as soon as there is a token, and `call()` takes the answers.
 */

/** How many addresses are remembered, requests of each, and milliseconds of a page load that count as its beginning. */
const ADDRESSES = 20;
const REQUESTS = 12;
const BEGINNING = 10_000;

interface Service {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Identifies the person: another one at this browser repeats nothing. */
  readonly owner: string;
}

/** Paths with their queries, by the address of the console that asked for them; the last used first. */
type Remembered = readonly (readonly [address: string, requests: readonly string[]])[];

export const HEADERS = { accept: "application/json" };

/** An answer whose body has come to its end. */
export interface Answered {
  readonly response: Response;
  readonly text: string;
}

interface Early {
  readonly bearer: string;
  readonly answer: Promise<Answered>;
  arrived: boolean;
}

const early = new Map<string, Early>();
let noted: string[] | undefined;

const keyOf = (owner: string): string => `pc.first-requests ${owner}`;
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

/** Ends the beginning: what nobody has asked for by now would be too old. */
function end(): void {
  noted = undefined;
  early.clear();
}

/** Repeats what the last load of this address asked for, and begins to note what this one asks for. */
export function sendEarly({ baseUrl, owner }: Service, bearer: string): void {
  const address = addressOfPage();
  const all = read(owner);
  const [, requests = []] = all.find(([kept]) => kept === address) ?? [];
  for (const path of requests.slice(0, REQUESTS)) {
    // Kept by the browser, so not to be trusted with where a token goes.
    if (typeof path !== "string" || !/^\/[a-z]/.test(path)) continue;
    const answer = fetch(baseUrl + path, {
      headers: { ...HEADERS, authorization: `Bearer ${bearer}` },
      cache: "no-store",
      credentials: "omit",
    }).then(async (response) => ({ response, text: await response.text() }));
    const sent: Early = { bearer, answer, arrived: false };
    answer.then(
      () => (sent.arrived = true),
      () => undefined,
    );
    early.set(baseUrl + path, sent);
  }
  const mine: string[] = [];
  noted = mine;
  const keep = (): void => {
    if (noted !== mine) return;
    const next = mine.slice(0, REQUESTS).map((url) => url.slice(baseUrl.length));
    end();
    try {
      const rest = all.filter(([kept]) => kept !== address);
      localStorage.setItem(keyOf(owner), JSON.stringify([[address, next], ...rest].slice(0, ADDRESSES)));
    } catch {
      // Storage may be forbidden or full: the next load is as slow as this one.
    }
  };
  setTimeout(keep, BEGINNING);
  // What a person does next is not what the address asks for.
  for (const type of ["pagehide", "pointerdown", "keydown"])
    addEventListener(type, keep, { capture: true, once: true });
}

/** Whether answers are here that nobody has asked for yet. */
export const hasAnswers = (): boolean => [...early.values()].some(({ arrived }) => arrived);

/**
 * The answer to a GET that was sent early with this very token, once; undefined if there is none. Rejects as `fetch()` does, and
 * with the reason of `signal`. Anything else than a GET may change what such an answer would have said.
 */
export function takeEarly(
  method: string,
  address: string,
  bearer: string,
  signal: AbortSignal,
): Promise<Answered> | undefined {
  if (!noted) return undefined;
  if (method !== "GET") {
    early.clear();
    return undefined;
  }
  noted.push(address);
  const sent = early.get(address);
  early.delete(address);
  if (sent?.bearer !== bearer) return undefined;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    sent.answer.then(resolve, reject);
  });
}
