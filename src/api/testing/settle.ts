import { vi } from "vitest";

import type { ApiError } from "platform-client/errors";

/** The outcome of a write with all waiting skipped (fake timers): the record or the error. */
export async function settle<T>(write: Promise<T>): Promise<T | ApiError> {
  const settled = write.catch((error: ApiError) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  return settled;
}

/** Requests like `GET https://...` get no response. */
export const noAnswer = (what: RegExp) => (request: Request) => {
  if (what.test(`${request.method} ${request.url}`)) throw new TypeError("Failed to fetch");
  return undefined;
};
