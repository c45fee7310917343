/** Storage key; no user's data. */
const KEY = "pc.list-size";

interface Size {
  /** Px. */
  readonly width: number;
  readonly height: number;
}

type Stored = readonly [windowWidth: number, windowHeight: number, width: number, height: number];

function read(): Stored | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    const isSize = Array.isArray(stored) && stored.length === 4 && stored.every((px) => Number(px) > 0);
    return isSize ? (stored as unknown as Stored) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The size of the last list in a window of this size, also of an earlier visit: lists all fill the page. With it, the first
 * render has its columns and rows without a layout to measure them. Undefined if there was none.
 */
export function lastSize(): Size | undefined {
  const last = read();
  return last?.[0] === innerWidth && last[1] === innerHeight
    ? { width: last[2], height: last[3] }
    : undefined;
}

/** Remembers the size of a list on screen. */
export function noteSize({ width, height }: Size): void {
  const before = lastSize();
  if (width <= 0 || height <= 0 || (before?.width === width && before.height === height)) return;
  const now: Stored = [innerWidth, innerHeight, width, height];
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // Storage can be forbidden or full: then the next visit measures.
  }
}
