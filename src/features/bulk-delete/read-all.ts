import { scan } from "~/api/paging/scan";
import type { Item, PagedList, Patience } from "~/api/paging/scan-pages";
import type { ReadSoFar } from "~/ui/table/selection-bar";
import type { Chosen } from "~/ui/table/use-selection";

interface Reading {
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly tell: (so: ReadSoFar) => void;
}

/** Every row of a list that matches, by uid. Rejects with the reason of `signal`, or with why a page could not be read. */
export async function readAll<T extends Item>(
  list: PagedList,
  matches: (row: T) => boolean,
  { patience, signal, tell }: Reading,
): Promise<Chosen<T>> {
  const reading = scan(list, matches, patience);
  reading.subscribe(() => tell(reading.get()));
  await reading.run(signal);
  const { state, rows, error } = reading.get();
  if (state !== "done") throw error ?? signal.reason;
  return new Map(rows.map((row) => [row.uid, row]));
}
