import { VALIDATE_ONLY } from "platform-contract/endpoint";

import type { Database, Origin, Queries } from "../store/database";
import type { Call } from "./call";

/** Rolls a transaction back that has found nothing wrong. */
class NothingWrong<T> extends Error {
  constructor(readonly result: T) {
    super("only checked");
  }
}

/** True if a write is only checked (AIP-163). */
export const isOnlyChecked = ({ query }: Partial<Pick<Call, "query">>): boolean =>
  query?.[VALIDATE_ONLY] === true;

/**
 * Runs the transaction of a call. One that is only checked (`validateOnly`, AIP-163) is rolled back, with its entries, mails
 * and events. Rejects as the write would.
 */
export async function transactionOf<T>(
  database: Database,
  call: Partial<Pick<Call, "query">>,
  work: (queries: Queries) => Promise<T>,
  origin: (result: T) => Origin | undefined,
): Promise<T> {
  if (!isOnlyChecked(call)) return database.transaction(work, origin);
  try {
    return await database.transaction<T>(async (queries) => {
      throw new NothingWrong(await work(queries));
    });
  } catch (error) {
    if (error instanceof NothingWrong) return error.result as T;
    throw error;
  }
}
