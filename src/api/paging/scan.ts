import { asError } from "platform-client/errors";
import { totalOf } from "platform-client/wire";

import { compareBy, orderOf } from "./order";
import { START, type PagedItem } from "./page-reader";
import { readPages, type PagedList } from "./scan-pages";
import type { RetryPolicy } from "./retry-policy";

/**
 * - `idle`: not started, or left; continues automatically when it is shown again.
 * - `stopped`: by the user, or having read enough for now; `failed`: a page could not be read. Both keep their rows and continue with `run()`.
 */
export type ScanState = "idle" | "reading" | "stopped" | "failed" | "done";

/** The results of a scan so far. A new object after every change, with new `rows` only if those changed. */
export interface Found<T> {
  readonly state: ScanState;
  /** The matching rows, each once, in the order of the list. */
  readonly rows: readonly T[];
  /** Number of list rows read. */
  readonly read: number;
  /** Number of rows in the list. If the service does not count: undefined, and the number of rows read when done. */
  readonly total: number | undefined;
  /** True if the list has changed since it was read, in a way that only reading it again can show. */
  readonly outdated: boolean;
  /** Why it failed. */
  readonly error: Error | null;
  /** True if the rows are from the previous run: the scan was restarted and has no new rows yet. */
  readonly old: boolean;
  /** When this run started and when its last response arrived, in ms. */
  readonly begunAt: number;
  readonly readAt: number;
}

export interface Scan<T> {
  get(): Found<T>;
  /** Calls listeners at most ten times a second, less often with many rows, and immediately when the state changes. */
  subscribe(listener: () => void): () => void;
  /**
   * Starts or continues; resolves when it is done, stopped or failed. Aborting `signal` leaves it `idle`. Having read
   * `most` rows of the list leaves it `idle` too, or as `then` says.
   */
  run(signal?: AbortSignal, most?: number, then?: "idle" | "stopped"): Promise<void>;
  stop(): void;
  /** Discards what was read; `run()` starts at row one. */
  restart(): void;
  /** Called when this tab wrote a record in the list's scope: changes its row in place, adds or removes it. */
  put(record: T, isNew?: boolean): void;
  /** Called when this tab deleted records. */
  drop(gone: readonly string[]): void;
  /** Called when something else changed the list. */
  outdate(): void;
}

/**
 * True if only the server can tell what a list contains: it has filters other than scope. `matches` must handle flags
 * that include more kinds.
 */
const hasFilters = (query: object): boolean =>
  Object.keys(query).some((key) => !/^uidp\.|^order_by$|^page_size$|^include[A-Z]/.test(key));

/** Minimum ms between two notifications; with many rows, one ms per so many rows instead. */
const NOTIFY_INTERVAL_MS = 100;
const ROWS_PER_MS = 100;

/**
 * The only way to apply a filter that the server lacks: reads a list page by page and keeps only the matches. Sends no
 * request before `run()`.
 */
export function scan<T extends PagedItem>(
  list: PagedList,
  matches: (row: T) => boolean,
  retryPolicy: RetryPolicy,
): Scan<T> {
  const listeners = new Set<() => void>();
  let cursor = START;
  /** From the newest page with a count. A list whose count is not exact as a number is never read to its end. */
  let counted: number | undefined;
  let rows: T[] = [];
  let uids = new Set<string>();
  /** Deleted uids: a page in flight can still contain them. Uids are never reused. */
  const deleted = new Set<string>();
  /** How many of the rows read are gone since, less those that this tab added: nothing else counts them. */
  let dropped = 0;
  let outdated = false;
  let current: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** True if rows changed since the last notification. */
  let changed = false;
  let found: Found<T> = {
    state: "idle",
    rows: [],
    read: 0,
    total: undefined,
    outdated: false,
    error: null,
    old: false,
    begunAt: 0,
    readAt: 0,
  };

  /** Publishes the current state. Rows of the previous run stay until this one has some, or is over. */
  function publish(state: ScanState, error: Error | null = null): void {
    clearTimeout(timer);
    timer = undefined;
    const { done, read } = cursor;
    const old = found.old && rows.length === 0 && (state === "reading" || state === "idle");
    if (changed && !old) found = { ...found, rows: rows.slice() };
    changed &&= old;
    found = {
      ...found,
      state,
      error,
      old,
      read: read - dropped,
      total: counted === undefined ? (done ? read - dropped : undefined) : Math.max(counted, read) - dropped,
      // Rows that moved to positions already read were missed.
      outdated: outdated || (done && (counted ?? 0) > read),
      readAt: cursor.since,
    };
    for (const listener of listeners) listener();
  }
  const publishSoon = (): void => {
    timer ??= setTimeout(
      () => publish(found.state, found.error),
      Math.max(NOTIFY_INTERVAL_MS, rows.length / ROWS_PER_MS),
    );
  };
  const halt = (state: ScanState): void => {
    if (found.state !== "reading") return;
    const running = current;
    current = undefined;
    running?.abort();
    publish(state);
  };

  function addMatches(items: readonly T[]): void {
    for (const item of items) {
      if (uids.has(item.uid) || deleted.has(item.uid) || !matches(item)) continue;
      uids.add(item.uid);
      rows.push(item);
      changed = true;
    }
  }

  async function run(signal?: AbortSignal, most?: number, then: "idle" | "stopped" = "idle"): Promise<void> {
    if (found.state === "reading" || found.state === "done" || signal?.aborted) return;
    const own = new AbortController();
    current = own;
    const leave = (): void => {
      if (current === own) halt("idle");
    };
    signal?.addEventListener("abort", leave);
    if (cursor === START) found = { ...found, begunAt: Date.now() };
    publish("reading");
    try {
      const pages = readPages<T>(list, cursor, retryPolicy, own.signal, most);
      for await (const { page, cursor: next } of pages) {
        if (current !== own) return;
        cursor = next;
        const count = totalOf(page);
        if (count !== undefined) counted = Number(count);
        addMatches(page.items);
        publishSoon();
      }
      if (current === own) publish(cursor.done ? "done" : then);
    } catch (error) {
      // Whoever ended it has already published the state.
      if (current === own) publish("failed", asError(error));
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  function restart(): void {
    halt("idle");
    cursor = START;
    counted = undefined;
    dropped = 0;
    rows = [];
    uids = new Set();
    outdated = false;
    changed = true;
    found = { ...found, old: found.rows.length > 0 };
    publish("idle");
  }

  function put(record: T, isNew = false): void {
    // Before the end of the list, a later page counts it.
    if (isNew && cursor.done && !uids.has(record.uid) && !hasFilters(Object(list.queryKey[2]))) dropped -= 1;
    if (uids.has(record.uid)) {
      if (!matches(record)) return removeRows(new Set([record.uid]));
      rows = rows.map((row) => (row.uid === record.uid ? record : row));
    } else {
      if (!matches(record)) return isNew ? publish(found.state, found.error) : undefined;
      if (hasFilters(Object(list.queryKey[2]))) return outdate();
      const order = orderOf(list.queryKey);
      const before = rows.findIndex((row) => (compareBy(order, record, row, { byName: true }) ?? 1) < 0);
      rows = rows.toSpliced(before < 0 ? rows.length : before, 0, record);
      uids.add(record.uid);
    }
    changed = true;
    publish(found.state, found.error);
  }

  function removeRows(gone: ReadonlySet<string>): void {
    for (const uid of gone) uids.delete(uid);
    rows = rows.filter(({ uid }) => !gone.has(uid));
    changed = true;
    publish(found.state, found.error);
  }

  function drop(gone: readonly string[]): void {
    for (const uid of gone) deleted.add(uid);
    const held = new Set(gone.filter((uid) => uids.has(uid)));
    if (held.size === 0) return;
    dropped += held.size;
    removeRows(held);
  }

  function outdate(): void {
    if (cursor === START) return;
    outdated = true;
    publish(found.state, found.error);
  }

  return {
    get: () => found,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run,
    stop: () => halt("stopped"),
    restart,
    put,
    drop,
    outdate,
  };
}
