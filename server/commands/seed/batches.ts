import type { SeedProgress } from "./progress";

/** Rows per statement. */
const BATCH = 2_000;

/** Calls `insert` for each batch of the `count` rows. */
export async function inBatches<R>(
  what: string,
  count: number,
  rows: Iterable<R>,
  progress: SeedProgress,
  insert: (rows: readonly R[]) => Promise<unknown>,
): Promise<void> {
  let done = 0;
  let batch: R[] = [];
  progress.step(what, done, count);
  const flush = async () => {
    if (batch.length === 0) return;
    await insert(batch);
    done += batch.length;
    batch = [];
    progress.step(what, done, count);
  };
  for (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

/** Yields `row(index)` for each index below `count`. */
export function* each<R>(count: number, row: (index: number) => R): Generator<R> {
  for (let index = 0; index < count; index++) yield row(index);
}
