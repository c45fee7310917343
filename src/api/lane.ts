/** Runs work; rejects with the signal's reason where that ended the wait for its turn. */
export type Lane = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Lets at most `most` pieces of work run at once; the others wait in line. Whose signal ends leaves without having run. */
export function lane(most: number): Lane {
  let running = 0;
  const waiting: (() => void)[] = [];

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", leave);
        running++;
        resolve();
      };
      const leave = () => {
        const place = waiting.indexOf(go);
        if (place >= 0) waiting.splice(place, 1);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      if (running < most) return go();
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(go);
      return undefined;
    });

  return async (work, signal) => {
    await turn(signal);
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}
