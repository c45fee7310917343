import { appendEntries, type PlacedDraft } from "../store/audit";
import type { Database, Origin, Queries } from "../store/database";
import { takeBroken } from "../store/guard-rail-notes";
import { takeCause } from "../store/service-causes";
import { notedChanges } from "./audit.table";
import { entriesOf } from "./entries";

/** Runs at the end of a transaction that changed records, before its entries are appended. */
export type AtEnd<T> = (
  queries: Queries,
  changes: string,
  done: { readonly origin: Origin | undefined; readonly result: T },
) => Promise<void>;

/**
 * Runs a transaction and logs what it changed, inside of it: both commit, or neither does. `atEnd` gets the changes that
 * events are about.
 */
export const loggedTransaction = <T>(
  database: Database,
  work: (queries: Queries) => Promise<T>,
  originOf?: (result: T) => Origin | undefined,
  atEnd?: AtEnd<T>,
): Promise<T> =>
  database.transaction(async (queries) => {
    // Of a transaction before that was rolled back.
    takeBroken(queries);
    takeCause(queries);
    const result = await work(queries);
    const guardRails = takeBroken(queries);
    const cause = takeCause(queries);
    const origin = originOf?.(result);
    const noted = await notedChanges(queries, origin);
    if (noted?.changes) await atEnd?.(queries, noted.changes, { origin, result });
    const entries =
      noted && (noted.audit ?? origin?.act)
        ? entriesOf({
            notes: noted.audit ?? "",
            names: noted.names ?? {},
            provider: noted.provider ?? undefined,
            origin,
            guardRails,
            cause,
          })
        : [];
    if (entries.length > 0) await appendEntries(queries, entries);
    return result;
  });

/** A database whose transactions are logged, without events: for commands. */
export const withLog = (database: Database): Database => ({
  ...database,
  transaction: (work, originOf) => loggedTransaction(database, work, originOf),
});

export type { PlacedDraft };
