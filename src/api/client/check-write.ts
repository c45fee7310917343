import type { RequestInfo } from "platform-client/request-info";
import { askedWait, canRetry, pause, retryDelay } from "platform-client/retry";
import { VALIDATE_ONLY, type Endpoint } from "platform-contract/endpoint";

import { call, checksWrites } from "./client";

/** How often a check is sent again at most. */
const RETRIES = 4;
/** Seconds: a service that asks for a longer wait is not waited for. */
const LONGEST_WAIT = 60;

/** True if the service can be asked whether it would do this write. */
export const isChecked = ({ refusesValidateOnly }: Pick<Endpoint, "refusesValidateOnly">): boolean =>
  checksWrites() && !refusesValidateOnly;

/**
 * Asks the service whether it would do a write now, and writes nothing (AIP-163). Rejects with the ApiError that the write would
 * get, or with the reason of an aborted `signal`. Throws before it sends anything to a service that does not say that it checks:
 * such a one would write.
 */
export async function checkWrite(
  asked: RequestInfo & { readonly endpoint: Endpoint },
  signal?: AbortSignal,
): Promise<void> {
  const { endpoint, path, query, body, justification } = asked;
  if (!isChecked(endpoint)) throw new Error("This service can't check that without doing it");
  // The answer to a check is empty.
  const check = { ...endpoint, answer: undefined } as Endpoint;
  const only = { ...query, [VALIDATE_ONLY]: true };
  const input = { ...(path && { path }), query: only, body, justification, signal };
  for (let failures = 0; ; failures += 1)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      await call(check, input);
      return;
    } catch (error) {
      const again = failures < RETRIES && canRetry(error, true) && askedWait(error) <= LONGEST_WAIT;
      if (!again) throw error;
      // oxlint-disable-next-line no-await-in-loop
      await pause(retryDelay(failures, error), signal);
    }
}
