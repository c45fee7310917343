import { expect, it } from "vitest";

import { ApiError } from "platform-client/errors";
import { retryDelay } from "platform-client/retry";

import { createQueryClient, mayAskAgain, shouldRetry } from "./query-client";

const status = { code: 0, message: "no" };
const busy = (retryAfter: number) => new ApiError("refused", "no", { http: 503, status, retryAfter });

it.each([
  ["unreachable", new ApiError("unreachable", "no"), true],
  ["a 503", new ApiError("refused", "no", { http: 503, status }), true],
  ["an error page of a proxy", new ApiError("invalid", "no", { http: 502 }), true],
  ["a 503 with a short Retry-After", busy(3), true],
  ["a 503 that asks for much", busy(60), false],
  ["a 400", new ApiError("refused", "no", { http: 400, status }), false],
  ["a 401", new ApiError("refused", "no", { http: 401, status }), false],
  ["a 429", new ApiError("refused", "no", { http: 429, status }), false],
  ["HTML with 200", new ApiError("invalid", "no", { http: 200 }), false],
  ["a mistake of ours", new TypeError("x is undefined"), false],
])("tries again after %s: %s", (_what, error, again) => {
  expect(shouldRetry(0, error)).toBe(again);
  expect(shouldRetry(3, error)).toBe(false);
});

it("backs off exponentially with jitter, at least Retry-After", () => {
  for (const [failures, most] of [
    [0, 400],
    [1, 1200],
    [2, 3600],
  ] as const) {
    const delays = Array.from({ length: 50 }, () => retryDelay(failures, new ApiError("unreachable", "no")));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(most / 2);
    expect(Math.max(...delays)).toBeLessThanOrEqual(most);
    expect(new Set(delays).size).toBeGreaterThan(10);
  }
  expect(retryDelay(0, busy(7))).toBe(7000);
});

it("does not refetch on mount before Retry-After", () => {
  const waiting = (error: unknown) => mayAskAgain({ state: { error } });
  expect(waiting(busy(60))).toBe(false);
  expect(waiting(busy(0))).toBe(true);
  expect(waiting(new ApiError("unreachable", "no"))).toBe(true);
  expect(waiting(null)).toBe(true);
});

it("reads without asking the browser whether there is a network, and writes once", () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    networkMode: "always",
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  expect(mutations).toMatchObject({ networkMode: "always", retry: false });
});
