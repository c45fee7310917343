/** What somebody did again and again: told at once the first time, then as a number. */
export interface Repeats<T> {
  /** Runs `first` unless the key is known already: then counts. */
  note(key: string, value: T, first: () => Promise<void>): Promise<void>;
  /** Tells all numbers now. */
  end(): Promise<void>;
}

interface Window<T> {
  readonly since: Date;
  readonly timer: NodeJS.Timeout;
  count: number;
  last: T;
}

/**
 * Counts in the memory of this process: if it is killed, the numbers are lost.
 * @param everyMs a key is told once in this time
 * @param most keys; more end the oldest ones early
 * @param tell gets the last value, and how many there were after the first
 */
export function createRepeats<T>(options: {
  readonly everyMs: number;
  readonly most: number;
  readonly tell: (last: T, more: { readonly count: number; readonly since: Date }) => Promise<void>;
}): Repeats<T> {
  const windows = new Map<string, Window<T>>();

  async function close(key: string): Promise<void> {
    const window = windows.get(key);
    if (!window) return;
    windows.delete(key);
    clearTimeout(window.timer);
    const { count, since, last } = window;
    if (count > 0) await options.tell(last, { count, since });
  }

  return {
    async note(key, value, first) {
      const known = windows.get(key);
      if (known) {
        known.count += 1;
        known.last = value;
        return;
      }
      const timer = setTimeout(() => void close(key), options.everyMs).unref();
      windows.set(key, { since: new Date(), timer, count: 0, last: value });
      try {
        await first();
      } catch (error) {
        windows.delete(key);
        clearTimeout(timer);
        throw error;
      }
      const [oldest] = windows.keys();
      if (windows.size > options.most && oldest !== undefined) await close(oldest);
    },
    async end() {
      await Promise.all([...windows.keys()].map(close));
    },
  };
}
