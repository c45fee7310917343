import { failedPrecondition, Failure } from "../status";
import type { Database, Queries } from "../store/database";
import { sqlState } from "../store/retry";

/** What the database's own constraints refuse, in the API's words: the races that no check before can see. */
function asFailure(error: unknown): unknown {
  const state = sqlState(error);
  if (state === "23505")
    return new Failure(
      "ALREADY_EXISTS",
      "Already exists: there is such a record, made at the same time or before",
    );
  if (state === "23503")
    return failedPrecondition([
      {
        type: "RESOURCE_IN_USE",
        description: "another record, made or removed at the same time, is in the way",
      },
    ]);
  if (state === "40001" || state === "40P01")
    return new Failure("ABORTED", "Aborted: another write was in the way, try again");
  return error;
}

/** Every write is one transaction: all of it or nothing. */
export async function write<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(work);
  } catch (error) {
    throw asFailure(error);
  }
}
