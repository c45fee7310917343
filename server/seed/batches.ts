import type { Progress } from "./progress";

/** Rows of one statement. */
const BATCH = 2_000;

/** Calls `insert` for each batch of `rows`, of which there are `count`. */
export async function inBatches<R>(
  what: string,
  count: number,
  rows: Iterable<R>,
  progress: Progress,
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

/** What `row` gives for each whole number below `count`. */
export function* each<R>(count: number, row: (index: number) => R): Generator<R> {
  for (let index = 0; index < count; index++) yield row(index);
}
