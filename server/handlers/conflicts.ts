import { failedPrecondition, Failure, invalidArgument, withUnread } from "../status";
import type { Database, Queries } from "../store/database";
import { sqlState } from "../store/retry";
import { personUid } from "../store/uids";
import type { Call } from "./call";
import { Duplicate } from "./duplicates";

/** What the database's own constraints refuse, in the API's words: the races that no check before can see. */
function asFailure(error: unknown): unknown {
  const state = sqlState(error);
  if (state === "23505")
    return new Failure("ALREADY_EXISTS", "Already exists: a record with these values was created first");
  if (state === "23503")
    return failedPrecondition([
      {
        type: "RESOURCE_IN_USE",
        description: "a related record changed at the same time",
      },
    ]);
  if (state === "40001" || state === "40P01")
    return new Failure("ABORTED", "Aborted: conflicting write, try again");
  return error;
}

/**
 * Every write is one transaction: all of it or nothing. Fields that could not be read are refused with what `work`
 * refuses, so that one answer names every violation; after the work, since it then has said all that it finds.
 */
export async function write<T>(
  database: Database,
  { caller, unread, operation }: Pick<Call, "caller" | "unread" | "operation">,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const { issuer, subject, identities } = caller;
  // A newcomer becomes this person by what is written.
  const identity = identities[0] ?? personUid(issuer, subject);
  const origin = { issuer, subject, identity, operation };
  try {
    return await database.transaction(
      async (queries) => {
        const result = await work(queries);
        if (unread.length > 0) throw invalidArgument(unread);
        return result;
      },
      () => origin,
    );
  } catch (error) {
    const duplicate = error instanceof Duplicate ? await error.told(database, { caller }) : undefined;
    const failure = duplicate ?? asFailure(error);
    throw failure instanceof Failure ? withUnread(failure, unread) : failure;
  }
}
