import { checkWrite } from "~/api/client/check-write";
import { limiter } from "~/api/paging/limiter";
import { isRefusal, type ApiError } from "platform-client/errors";
import type { Endpoint } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";

import type { ImportKind, ImportRow } from "./kinds";

/** Checks at a time. */
const AT_ONCE = 4;

interface Checking {
  readonly signal: AbortSignal;
  /** Called after each answer: why the service would refuse the row, or nothing if it would create it. */
  readonly tell: (row: ImportRow, reasons: readonly FieldViolation[]) => void;
}

/** What the service said of rows, by their number: why it would refuse it, or nothing. */
export type CheckedRows = ReadonlyMap<number, readonly FieldViolation[]>;

/**
 * Asks the service of each row by itself whether it would create it; what rows would do to each other is not in that. Rejects with
 * the ApiError of a check that got no answer, or with the reason of `signal`.
 */
export async function checkRows(
  { resource }: ImportKind,
  parent: string,
  rows: readonly ImportRow[],
  { signal, tell }: Checking,
): Promise<void> {
  const run = limiter(AT_ONCE);
  const endpoint = resource.create as unknown as Endpoint;
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const one = async (row: ImportRow): Promise<void> => {
    try {
      await checkWrite({ endpoint, path: { parent }, body: row.body }, either);
      tell(row, []);
    } catch (error) {
      if (!isRefusal(error)) {
        failed.abort(error);
        throw error;
      }
      tell(row, reasonsOf(error));
    }
  };
  await Promise.all(rows.map((row) => run(() => one(row), either)));
}

/** What is wrong with a row in the service's words: its fields, what stands against it, or the error as a whole. */
function reasonsOf({ violations, preconditions, message }: ApiError): readonly FieldViolation[] {
  const blocking = preconditions.map(({ description }) => ({ field: "", description }));
  const reasons = [...violations, ...blocking];
  return reasons.length > 0 ? reasons : [{ field: "", description: message }];
}
