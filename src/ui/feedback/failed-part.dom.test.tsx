import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { FailedPart } from "./failed-part";
import { renderInApp, stubBrowser } from "../testing/render";

beforeAll(stubBrowser);
afterEach(cleanup);

const show = async (facts: object) => {
  const onRetry = vi.fn();
  const error = Object.assign(new Error("Slow down."), facts);
  await renderInApp(<FailedPart title="The readme couldn't be loaded" error={error} onRetry={onRetry} />);
  return onRetry;
};

it("shows the reason, and retries on request", async () => {
  const onRetry = await show({});
  expect(screen.getByText("Slow down.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

it("counts down Retry-After, then retries once by itself", async () => {
  const onRetry = await show({ retryAt: Date.now() + 1500 });
  expect(screen.getByText(/Retrying in/).textContent).toMatch(/Retrying in \d s/);
  expect(screen.getByRole("button", { name: "Try now" })).toBeTruthy();
  expect(onRetry).not.toHaveBeenCalled();
  await waitFor(() => expect(onRetry).toHaveBeenCalledTimes(1));
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});
