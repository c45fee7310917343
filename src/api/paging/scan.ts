import { totalOf } from "../client/read-response";
import { compareBy, orderOf } from "./order";
import { START, type Item } from "./page-reader";
import { readPages, type PagedList, type Patience } from "./scan-pages";

/**
 * - `idle`: not begun, or left; goes on by itself when it is shown again.
 * - `stopped`: by a person; `failed`: a page could not be read. Both keep what they have and go on with `run()`.
 */
export type ScanState = "idle" | "reading" | "stopped" | "failed" | "done";

/** What a scan has so far. Another object after every change, with other `rows` only when those changed. */
export interface Found<T> {
  readonly state: ScanState;
  /** What matches, each once, in the order of the list. */
  readonly rows: readonly T[];
  /** How many rows of the list were looked at. */
  readonly read: number;
  /** How many there are. Undefined where the service does not count; what was looked at by then, when done. */
  readonly total: number | undefined;
  /** The list has changed since it was read in a way that only reading it again shows. */
  readonly outdated: boolean;
  /** Why it failed. */
  readonly error: Error | null;
  /** The rows are those of the reading before: it was begun again, and the first ones are on their way. */
  readonly old: boolean;
  /** When this reading began and when it last had an answer, in ms. */
  readonly begunAt: number;
  readonly readAt: number;
}

export interface Scan<T> {
  get(): Found<T>;
  /** Told at most ten times a second, less often the more rows there are, and at once when the state changes. */
  subscribe(listener: () => void): () => void;
  /** Begins, or goes on; resolves when it is done, stopped or failed. `signal` leaves it `idle`. */
  run(signal?: AbortSignal): Promise<void>;
  stop(): void;
  /** Forgets what was read; `run()` begins at row one. */
  restart(): void;
  /** This tab wrote a record in the list's scope: its row is changed in its place, added or taken out. */
  put(record: T): void;
  /** This tab deleted records. */
  drop(gone: readonly string[]): void;
  /** Something else changed the list. */
  outdate(): void;
}

/**
 * Whether only the server can tell what a list holds: it has filters besides scope. Flags that let more kinds in are
 * for `matches` to know.
 */
const hasFilters = (query: object): boolean =>
  Object.keys(query).some((key) => !/^uidp\.|^order_by$|^page_size$|^include[A-Z]/.test(key));

/** Least time between two changes that are told, in ms; and how many rows make that a millisecond longer. */
const PACE = 100;
const ROWS_PER_MS = 100;

/**
 * The one way out of a filter that the server lacks: reads a list page by page and keeps only what matches. Nothing is
 * asked for before `run()`.
 */
export function scan<T extends Item>(
  list: PagedList,
  matches: (row: T) => boolean,
  patience: Patience,
): Scan<T> {
  const listeners = new Set<() => void>();
  let cursor = START;
  /** As of the newest page that says so. A list with more rows than are exact in a number is never read to its end. */
  let counted: number | undefined;
  let rows: T[] = [];
  let uids = new Set<string>();
  /** Deleted: a page that was on its way brings them all the same. A uid is never given twice. */
  const deleted = new Set<string>();
  let outdated = false;
  let current: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Rows changed since they were told. */
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

  /** Tells what there is now. Rows of the reading before stay until this one has some, or is over. */
  function tell(state: ScanState, error: Error | null = null): void {
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
      read,
      total: counted === undefined ? (done ? read : undefined) : Math.max(counted, read),
      // Rows that moved to where the reading had been were not read.
      outdated: outdated || (done && (counted ?? 0) > read),
      readAt: cursor.since,
    };
    for (const listener of listeners) listener();
  }
  const tellSoon = (): void => {
    timer ??= setTimeout(() => tell(found.state, found.error), Math.max(PACE, rows.length / ROWS_PER_MS));
  };
  const halt = (state: ScanState): void => {
    if (found.state !== "reading") return;
    const running = current;
    current = undefined;
    running?.abort();
    tell(state);
  };

  function take(items: readonly T[]): void {
    for (const item of items) {
      if (uids.has(item.uid) || deleted.has(item.uid) || !matches(item)) continue;
      uids.add(item.uid);
      rows.push(item);
      changed = true;
    }
  }

  async function run(signal?: AbortSignal): Promise<void> {
    if (found.state === "reading" || found.state === "done" || signal?.aborted) return;
    const own = new AbortController();
    current = own;
    const leave = (): void => {
      if (current === own) halt("idle");
    };
    signal?.addEventListener("abort", leave);
    if (cursor === START) found = { ...found, begunAt: Date.now() };
    tell("reading");
    try {
      for await (const { page, cursor: next } of readPages<T>(list, cursor, patience, own.signal)) {
        if (current !== own) return;
        cursor = next;
        const count = totalOf(page);
        if (count !== undefined) counted = Number(count);
        take(page.items);
        tellSoon();
      }
      if (current === own) tell("done");
    } catch (error) {
      // Whoever ended it has said so already.
      if (current === own) tell("failed", error as Error);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  function restart(): void {
    halt("idle");
    cursor = START;
    counted = undefined;
    rows = [];
    uids = new Set();
    outdated = false;
    changed = true;
    found = { ...found, old: found.rows.length > 0 };
    tell("idle");
  }

  function put(record: T): void {
    if (uids.has(record.uid)) {
      if (!matches(record)) return leaveOut(new Set([record.uid]));
      rows = rows.map((row) => (row.uid === record.uid ? record : row));
    } else {
      if (!matches(record)) return;
      if (hasFilters(list.queryKey[2] as object)) return outdate();
      const order = orderOf(list.queryKey);
      const before = rows.findIndex((row) => (compareBy(order, record, row, { byName: true }) ?? 1) < 0);
      rows = rows.toSpliced(before < 0 ? rows.length : before, 0, record);
      uids.add(record.uid);
    }
    changed = true;
    tell(found.state, found.error);
  }

  function leaveOut(gone: ReadonlySet<string>): void {
    for (const uid of gone) uids.delete(uid);
    rows = rows.filter(({ uid }) => !gone.has(uid));
    changed = true;
    tell(found.state, found.error);
  }

  function drop(gone: readonly string[]): void {
    for (const uid of gone) deleted.add(uid);
    const held = new Set(gone.filter((uid) => uids.has(uid)));
    if (held.size > 0) leaveOut(held);
  }

  function outdate(): void {
    if (cursor === START) return;
    outdated = true;
    tell(found.state, found.error);
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
