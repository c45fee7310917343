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

/** Px that the head and the foot of a list page take of its sheet, above and below the rows. */
const HEAD_AND_FOOT_PX = 170;

/** The room for a list, as the frame tells that the page has before any script. */
const frame: { room: Stored | undefined } = { room: undefined };

/**
 * Measures the frame in the page itself, `.pc-splash`, for a first visit's first list. Before anything else is in the page,
 * so that there is nothing else to lay out.
 */
export function measureFrame(splash: Element): void {
  const { width, height } = getComputedStyle(splash, "::before");
  const room = Number.parseFloat(height) - HEAD_AND_FOOT_PX;
  frame.room = [innerWidth, innerHeight, Number.parseFloat(width), room];
}

/**
 * The size of the last list in a window of this size, also of an earlier visit, else of the frame: lists all fill the page.
 * With it, the first render has its columns and rows without a layout to measure them. Undefined if there was none.
 */
export function lastSize(): Size | undefined {
  const fits = (size: Stored | undefined) => size?.[0] === innerWidth && size[1] === innerHeight;
  const last = [read(), frame.room].find(fits);
  return last && last[2] > 0 && last[3] > 0 ? { width: last[2], height: last[3] } : undefined;
}

/** Remembers the size of a list on screen. */
export function noteSize({ width, height }: Size): void {
  const before = read();
  const now: Stored = [innerWidth, innerHeight, width, height];
  if (width <= 0 || height <= 0 || now.every((px, index) => px === before?.[index])) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // Storage can be forbidden or full: then the next visit measures.
  }
}
