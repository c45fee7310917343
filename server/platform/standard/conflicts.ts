import { endpoints } from "platform-contract";

import { failedPrecondition, Failure, invalidArgument, withUnread } from "../../status";
import type { Database, Origin, Queries } from "../store/database";
import { answerOnce } from "../store/idempotency-keys";
import { sqlState } from "../store/retry";
import { personUid } from "../store/uids";
import type { Call } from "./call";
import { Duplicate } from "./duplicates";
import { isOnlyChecked, transactionOf } from "./validate-only";

/** By endpoint id. */
const SHOWN_ONCE = new Map(endpoints.map(({ id, shownOnce }) => [id, shownOnce]));

/** Maps database errors to API errors: constraints catch the races that checks cannot. */
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
 * Runs a write in one transaction. Violations of unparsed fields are added to those that `work` throws, so that one
 * response lists all of them; therefore they are only thrown after `work`. With an idempotency key, the write happens
 * once, and later calls with the key get its answer; a call that is only checked uses no key. `act` is what the entry tells, if no record of the log has it, `about` what else it is found by.
 */
export async function write<T>(
  database: Database,
  call: Pick<Call, "caller" | "unread" | "operation"> & Partial<Call>,
  work: (queries: Queries) => Promise<T>,
  act?: () => Origin["act"],
  about?: () => readonly string[],
): Promise<T> {
  const { caller, unread, operation, path, query, body, idempotencyKey: key, arrival } = call;
  const { issuer, subject, identities, client, jti } = caller;
  // A newcomer becomes this person with this write.
  const identity = identities[0] ?? personUid(issuer, subject);
  const origin = { issuer, subject, identity, operation, client, jti, arrival, at: path?.uid };
  try {
    return await transactionOf(
      database,
      call,
      (queries) => {
        const perform = async () => {
          const result = await work(queries);
          if (unread.length > 0) throw invalidArgument(unread);
          return result;
        };
        if (key === undefined || isOnlyChecked(call)) return perform();
        const shownOnce = SHOWN_ONCE.get(operation ?? "") ?? [];
        const { justification } = arrival ?? {};
        const request = { operation, path, query, body, unread, justification };
        return answerOnce(queries, { caller: caller.key, key, request, shownOnce }, perform);
      },
      () => {
        const done = act?.();
        return { ...origin, about: about?.(), ...(done && { act: done }) };
      },
    );
  } catch (error) {
    const duplicate = error instanceof Duplicate ? await error.toFailure(database, { caller }) : undefined;
    const failure = duplicate ?? asFailure(error);
    throw failure instanceof Failure ? withUnread(failure, unread) : failure;
  }
}
