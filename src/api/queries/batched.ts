interface Keyed {
  readonly uid: string;
}

export interface FromBatch<T> {
  /** Undefined if it is gone or hidden. */
  readonly record: T | undefined;
  /** All uids that were read together. */
  readonly uids: readonly string[];
}

/** How long a batch waits for more, in ms: cells that appear together ask within one frame. */
const BATCH_WINDOW_MS = 20;

/**
 * Returns a reader of single records that reads together what is asked at about the same time: cells of a table ask one
 * by one, and send no request for each.
 */
export function batched<T extends Keyed>(
  read: (uids: ReadonlySet<string>) => Promise<readonly T[]>,
): (uid: string) => Promise<FromBatch<T>> {
  let open: { readonly uids: Set<string>; readonly found: Promise<ReadonlyMap<string, T>> } | undefined;
  const start = () => {
    const uids = new Set<string>();
    const wait = new Promise<void>((resolve) => setTimeout(resolve, BATCH_WINDOW_MS));
    const found = wait.then(async () => {
      open = undefined;
      return new Map((await read(uids)).map((record) => [record.uid, record]));
    });
    return { uids, found };
  };
  return async (uid) => {
    const batch = (open ??= start());
    batch.uids.add(uid);
    const found = await batch.found;
    return { record: found.get(uid), uids: [...batch.uids] };
  };
}
