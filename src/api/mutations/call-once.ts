import { ApiError } from "platform-client/errors";
import type { Endpoint } from "platform-contract/endpoint";

import { call, keepsIdempotencyKeys, type RequestInput } from "../client/client";
import { mayHaveWorked, pollOutcome } from "./poll-outcome";

const UNKNOWN = "We couldn't confirm whether this went through. Trying again is safe.";

/**
 * Sends a POST with the key of its press. Without a response, sends it again with the same key: the service then gives
 * the first answer, or carries it out now. Services that keep no keys get one request. Rejects with an ApiError, whose
 * outcome is `unknown` if the service did not answer any of them.
 */
export async function callOnce<Query, Body, Answer>(
  endpoint: Endpoint<Query, Body, Answer>,
  input: RequestInput<NoInfer<Query>, NoInfer<Body>>,
  key: string,
): Promise<Answer> {
  const send = (signal?: AbortSignal) => call(endpoint, { ...input, idempotencyKey: key, signal });
  try {
    return await send();
  } catch (error) {
    if (!keepsIdempotencyKeys() || !mayHaveWorked(error)) throw error;
    const unknown = () => error.withOutcome("unknown", `${error.message} ${UNKNOWN}`);
    const again = async (signal: AbortSignal) => ({ answer: await send(signal) });
    const found = await pollOutcome("processed", again, () => true).catch((refused: unknown) => {
      throw refused instanceof ApiError && refused.code === "UNAUTHENTICATED" ? unknown() : refused;
    });
    if (!found) throw unknown();
    return found.answer;
  }
}
